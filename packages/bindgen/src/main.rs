//! Makes the JavaScript of a module: `formwork-bindgen MODULE.wasm FOLDER NAME nodejs|web|no-modules`.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name, target] = &arguments[..] else {
        return Err("usage: formwork-bindgen MODULE.wasm FOLDER NAME nodejs|web|no-modules".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true).out_name(name);
    // The names of functions are a third of a module, and nobody reads them.
    bindgen.remove_name_section(true).remove_producers_section(true);
    match target.as_str() {
        "nodejs" => bindgen.nodejs(true)?,
        "web" => bindgen.web(true)?,
        _ => bindgen.no_modules(true)?,
    };
    Ok(bindgen.generate(folder)?)
}
