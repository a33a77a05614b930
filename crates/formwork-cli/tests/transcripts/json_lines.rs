//! Checks the `--json` output of every command against `docs/lines.schema.json`.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value as Json;

use super::{furnish, repository, shell};

/// The commands, and the name under `$defs` of the schema for the objects that each prints.
const COMMANDS: [(&str, &str); 106] = [
    (
        "info",
        "formwork info --json player.save locked.save header.save cut.save odd.bin noise.bin empty.save",
    ),
    (
        "info",
        "formwork info --json torn.tv4l valley.tv4p valley.Layers/houses.tv4l torn.pcap notes.txt",
    ),
    ("info", "formwork info --json project.binary settings.cfg enemy.gdc hero.res packed.save"),
    ("info", "formwork info --json game.pck game.x86_64 sealed.pck patch.pck"),
    ("info", "formwork info --json locked.save --password 'correct horse'"),
    ("info", "(cat player.save; echo) | formwork info --json --format godot4 --framing frames -"),
    (
        "info",
        "(cat player.save; echo; cat player.save) | formwork info --json --format godot4 --framing frames -",
    ),
    ("info", "formwork info --json valley.Layers"),
    (
        "verify",
        "formwork verify --json player.save locked.save cut.save odd.bin notes.txt packed.save",
    ),
    (
        "verify",
        "formwork verify --json torn.tv4l valley.tv4p project.binary settings.cfg enemy.gdc hero.res game.pck",
    ),
    ("verify", "formwork verify --json ."),
    ("file_report", "formwork info --json no.save"),
    ("file_report", "formwork info --json --skip 99999 player.save"),
    ("info", "formwork info --json player.save no.save"),
    ("file_report", "formwork get --json no.save player"),
    ("file_report", "formwork get --json cut.save player/bag"),
    ("file_report", "formwork get --json player.save player/silver"),
    ("file_report", "formwork set --json player.save player/silver 9"),
    ("file_report", "formwork set --json player.save player/gold many"),
    ("file_report", "formwork set --json player.save player/gold"),
    ("file_report", "formwork set --json cut.save player/gold 9 -o set.save"),
    ("file_report", "formwork rm --json player.save player/silver --dry-run"),
    ("file_report", "formwork rm --json no.save player/gold"),
    ("file_report", "formwork query --json -i player.save '.gold = error(4)'"),
    ("change", "formwork set --json player.save player/gold 9 player/hp 72.5 --dry-run"),
    ("change", "formwork set --json player.save player/xp 9 --add -o set.save"),
    ("change", "formwork rm --json player.save inventory/0 player/hp --dry-run"),
    ("change", "formwork query --json -i player.save '.level = 4' --dry-run"),
    ("change", "EDITOR='sed -i s/100/7/' formwork edit --json player.save --dry-run"),
    ("change", "formwork diff --json player.save set.save"),
    ("change", "formwork diff --json old.save level.save"),
    ("change", "formwork diff --json nosums.pck sums.pck"),
    ("change", "formwork diff --json game.pck nosums.pck"),
    ("change", "formwork diff --json valley.Layers/houses.tv4l 'valley.Layers/old trees.tv4l'"),
    ("counts", "formwork diff --json --stat old.save level.save"),
    (
        "counts",
        "formwork diff --json --stat valley.Layers/houses.tv4l 'valley.Layers/old trees.tv4l'",
    ),
    (
        "change",
        "(formwork set player.save level 5 -o ours.save; formwork set player.save level 6 -o theirs.save) >left.txt; \
      formwork merge --json player.save ours.save theirs.save --dry-run",
    ),
    (
        "file_report",
        "formwork set player.save level 5 >left.txt; formwork undo --json player.save --dry-run",
    ),
    ("file_report", "formwork undo --json player.save"),
    ("file_report", "formwork encode --json rich.json --like player.save -o rich.save"),
    ("file_report", "formwork encode --json rich.json --format godot4 -o rich4.save --dry-run"),
    ("file_report", "formwork convert --json player.save --to godot3 -o converted.save"),
    ("file_report", "formwork convert --json level.save --to godot3 -o converted.save"),
    ("file_report", "formwork convert --json cut.save --to godot3 -o converted.save"),
    (
        "loss",
        "formwork convert level.save --to godot3 -o converted.save --report json 2>&1 | grep '^{'",
    ),
    ("conversion_table", "formwork convert --table --from godot4 --to godot3 --as json"),
    (
        "file_report",
        "mkdir folder && cp player.save cut.save notes.txt folder && \
      formwork decode --json folder --into decoded",
    ),
    ("file_report", "formwork decode --json folder --recover --into recovered"),
    ("file_report", "formwork convert --json folder --into converted --to godot4.5"),
    (
        "file_report",
        "mkdir game && cp player.save game && formwork pack --json game -o new.pck --format godot4.6",
    ),
    ("file_report", "formwork pack --json new.pck --put hero.res --remove player.save"),
    ("pack_files", "formwork decode game.pck"),
    ("decoded", "formwork decode --json player.save"),
    ("decoded", "formwork decode --json torn.save --recover"),
    ("decoded", "formwork decode --json packed.save --recover"),
    (
        "decoded",
        "head -c 2000 locked.save | formwork decode --json --recover --password 'correct horse' -",
    ),
    ("decoded", "formwork decode --json lines.save"),
    ("decoded", "formwork decode --json settings.cfg"),
    ("decoded", "formwork decode --json enemy.gdc"),
    ("decoded", "formwork decode --json hero.res"),
    ("decoded", "formwork decode --json game.pck"),
    ("decoded", "formwork decode --json valley.Layers/houses.tv4l"),
    ("decoded", "formwork decode --json torn.tv4l --recover"),
    ("any", "formwork decode torn.tv4l --recover"),
    ("any", "formwork show --json player.save"),
    ("any", "formwork get --json player.save player"),
    ("any", "formwork query --json player.save .player"),
    ("row", "formwork dump --json player.save"),
    ("row", "formwork dump --json cut.save"),
    ("row", "formwork dump --json torn.tv4l"),
    ("row", "formwork dump --json odd.bin"),
    ("row", "formwork dump --json noise.bin"),
    ("row", "formwork dump --json settings.cfg"),
    ("row", "formwork dump --json hero.res"),
    ("row", "formwork dump --json packed.save"),
    ("row", "formwork dump --json lines.save"),
    ("any", "formwork graph --json valley.Layers/houses.tv4l"),
    ("packet", "formwork-capture --json rpc.pcap"),
    ("conversation", "formwork-capture --json --summary rpc.pcap"),
    ("case", "formwork-kit generate --json --format godot4 --count 40"),
    (
        "fuzz",
        "formwork-kit fuzz --json --format godot4 --count 20 --no-growth --target 'formwork-kit respond --format godot4'",
    ),
    (
        "fuzz",
        "formwork-kit fuzz --json --format godot4 --count 20 --no-growth --target 'formwork-kit respond --format godot3'",
    ),
    (
        "fuzz",
        "formwork-kit fuzz --json --format godot4 --check-target --target 'formwork-kit respond --format godot4'",
    ),
    ("layer_list", "formwork terrain layers --json valley.tv4p"),
    (
        "layer_list",
        "echo version https://git-lfs.github.com/spec/v1 >valley.Layers/left.tv4l; \
      formwork terrain layers --json valley.tv4p; rm valley.Layers/left.tv4l",
    ),
    ("statistics", "formwork terrain stats --json valley.tv4p"),
    ("frames", "formwork terrain frames --json valley.tv4p"),
    ("any", "formwork terrain keypoints --json valley.tv4p"),
    ("any", "formwork terrain placed-roads --json valley.tv4p"),
    ("file_report", "formwork terrain move --json --by 1,1 --in-place --dry-run valley.tv4p"),
    ("statistics", "formwork terrain stats --json --by layer valley.tv4p"),
    ("paths", "formwork terrain paths --json valley.tv4p"),
    ("drives", "formwork terrain relocate --json valley.tv4p"),
    ("findings", "formwork terrain verify --json valley.tv4p"),
    ("file_report", "formwork terrain plot --json valley.tv4p -o valley.svg"),
    (
        "file_report",
        "formwork terrain objects move --json --layer houses --by 1,1 --dry-run valley.tv4p",
    ),
    (
        "file_report",
        "formwork terrain split --json --layer houses --grid 1000 --into parts valley.tv4p",
    ),
    ("info", "own_program info --json rgb.png wrong_crc.png"),
    ("row", "own_program dump --json wrong_crc.png"),
    ("verify", "own_program verify --json rgb.png wrong_crc.png"),
    ("change", "own_program diff --json rgb.png wrong_crc.png"),
    ("change", "own_program set --json rgb.png chunks/1/content/text Five --dry-run"),
    ("change", "own_program rm --json rgb.png chunks/1 --dry-run"),
    ("file_report", "own_program info --json no.png"),
    ("file_report", "own_program set --json rgb.png chunks/99/content/text Five"),
    ("file_report", "own_program rm --json no.png chunks/1"),
];

/// Keys that no sample needs.
const UNSEEN: [&str; 5] = ["missing_count", "more_count", "old_path", "too_deep", "type_changed"];

pub fn the_json_of_every_command_is_as_the_schema_says() {
    let repository = repository();
    let schema = fs::read(repository.join("docs/lines.schema.json")).expect("the schema is there");
    let schema = Schema(serde_json::from_slice(&schema).expect("the schema is JSON"));
    let folder = tempfile::tempdir().expect("a folder can be made");
    furnish(&repository, folder.path());
    for name in ["rgb.png", "wrong_crc.png"] {
        let sample = repository.join("examples/formats/samples").join(name);
        fs::copy(sample, folder.path().join(name)).expect("the sample is there");
    }
    let mut seen = BTreeSet::new();
    for (name, command) in COMMANDS {
        let output = shell(command, folder.path()).output().expect("a shell");
        let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
        let said = String::from_utf8_lossy(&output.stderr);
        let objects = serde_json::Deserializer::from_str(&text).into_iter::<Json>();
        let objects = objects.collect::<Result<Vec<_>, _>>();
        let objects = objects.unwrap_or_else(|error| panic!("{command}: {error}\n{text}{said}"));
        assert!(!objects.is_empty(), "{command} prints nothing: {said}");
        for object in objects {
            let place = format!("$ {command}\n{object}\n{name}");
            schema.hold(&object, &schema.0["$defs"][name], &place, &mut seen);
        }
    }
    schema.has_one_spelling();
    let unseen: Vec<_> = schema.keys().filter(|key| !seen.contains(*key)).collect();
    assert_eq!(unseen, UNSEEN, "no command prints these keys");
}

/// A JSON schema with only the keywords that are checked here.
struct Schema(Json);

impl Schema {
    /// Returns the keys. Each key is declared once, with its type.
    fn keys(&self) -> impl Iterator<Item = &String> {
        self.0["$defs"]["key"]["properties"].as_object().expect("the keys").keys()
    }

    /// Checks that all objects take their keys from the single list.
    fn has_one_spelling(&self) {
        let mut waiting = vec![&self.0["$defs"]];
        while let Some(json) = waiting.pop() {
            for (name, value) in json.as_object().into_iter().flatten() {
                if name == "properties" && json.get("required").is_some() {
                    for (key, one) in value.as_object().expect("properties") {
                        let known = format!("#/$defs/key/properties/{key}");
                        assert_eq!(one["$ref"], known, "a key is declared in $defs/key");
                    }
                }
                waiting.push(value);
            }
        }
    }

    /// Checks a value against a part of the schema.
    fn hold(&self, json: &Json, says: &Json, place: &str, seen: &mut BTreeSet<String>) {
        if let Err(error) = self.check(json, says, seen) {
            panic!("{place}{error}");
        }
    }

    fn check(&self, json: &Json, says: &Json, seen: &mut BTreeSet<String>) -> Result<(), String> {
        for (word, rule) in says.as_object().ok_or("no such part of the schema")? {
            match word.as_str() {
                "description" | "required" | "additionalProperties" => {}
                "$ref" => {
                    let path = rule.as_str().and_then(|it| it.strip_prefix('#'));
                    let part = path.and_then(|path| self.0.pointer(path));
                    self.check(json, part.ok_or_else(|| format!(": no {rule}"))?, seen)?;
                }
                "type" => {
                    let is = match json {
                        Json::Null => "null",
                        Json::Bool(_) => "boolean",
                        Json::Number(number) if !number.is_f64() => "integer",
                        Json::Number(_) => "number",
                        Json::String(_) => "string",
                        Json::Array(_) => "array",
                        Json::Object(_) => "object",
                    };
                    let fits = rule == is || (rule == "number" && is == "integer");
                    fits.then_some(()).ok_or_else(|| format!(": {json} is no {rule}"))?;
                }
                "enum" => {
                    let fits = rule.as_array().is_some_and(|all| all.contains(json));
                    fits.then_some(()).ok_or_else(|| format!(": {json} is none of {rule}"))?;
                }
                "items" => {
                    for (index, item) in json.as_array().into_iter().flatten().enumerate() {
                        self.check(item, rule, seen).map_err(|it| format!("/{index}{it}"))?;
                    }
                }
                "anyOf" => {
                    let mut errors = String::new();
                    let fits = rule.as_array().into_iter().flatten().any(|one| {
                        self.check(json, one, seen)
                            .map_err(|it| errors += &format!("\n  {it}"))
                            .is_ok()
                    });
                    fits.then_some(()).ok_or(errors)?;
                }
                "properties" => {
                    for (key, value) in json.as_object().into_iter().flatten() {
                        let known = rule.get(key).or(says.get("additionalProperties"));
                        let Some(part) = known.filter(|part| part.is_object()) else {
                            return Err(format!(": the key {key:?} is not in the schema"));
                        };
                        seen.insert(key.clone());
                        self.check(value, part, seen).map_err(|it| format!("/{key}{it}"))?;
                    }
                    for key in says["required"].as_array().into_iter().flatten() {
                        let has = key.as_str().is_some_and(|key| json.get(key).is_some());
                        has.then_some(()).ok_or_else(|| format!(": the key {key} is missing"))?;
                    }
                }
                word => return Err(format!(": the word {word:?} of the schema is not checked")),
            }
        }
        Ok(())
    }
}
