//! The sheet of a picture: positions on it, its frame of numbers, its legend.

use std::collections::HashMap;
use std::fmt::Write;

use formwork_alb1::tree::BoundingBox;

use super::dots::Dots;
use super::labels::{Label, Labels};
use super::lines::Lines;
use super::palette::DENSITIES;
use super::spot::View;

/// The width below which pictures have the legend below the map.
const NARROW: f64 = 760.0;
/// The smallest side of a map, in pixels.
const LEAST: f64 = 120.0;
/// The smallest height if the legend is beside the map.
const LEAST_BESIDE: f64 = 320.0;
/// The approximate distance between two lines of the grid, in pixels.
const MESH: f64 = 125.0;
const LEFT: f64 = 74.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 74.0;
const LEGEND: f64 = 286.0;
/// The margin beside the map if the legend is below.
const RIGHT: f64 = 26.0;
/// The height of a line of the legend.
const LINE: f64 = 19.0;
/// The length from which names in the legend are cut.
const LONGEST: usize = 26;
/// The greatest number of written names of places.
const MOST_PLACES: usize = 300;
const FONT: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/// A line of the legend: its mark, and its text.
struct Entry {
    mark: String,
    name: String,
    count: Option<usize>,
}

/// A picture that is being drawn.
pub(super) struct Sheet {
    view: View,
    bounds: BoundingBox<f64>,
    width: f64,
    height: f64,
    title: String,
    /// The parts that are cut at the borders of the map.
    map: String,
    /// The parts that may extend beyond the map.
    above: String,
    legend: Vec<Entry>,
    is_narrow: bool,
    labels: Labels,
}

impl Sheet {
    /// Starts a picture of `width` pixels, if the map is not higher than wide.
    pub(super) fn new(bounds: BoundingBox<f64>, title: &str, width: u32) -> Self {
        let bounds = with_room(bounds);
        let (metres_x, metres_y) = (bounds.x1 - bounds.x0, bounds.y1 - bounds.y0);
        let width = f64::from(width);
        let is_narrow = width < NARROW;
        let beside = LEFT + if is_narrow { RIGHT } else { LEGEND };
        let scale = (width - beside).max(LEAST) / metres_x.max(metres_y);
        Self {
            view: View { bounds, scale, corner: [LEFT, TOP] },
            bounds,
            width: metres_x * scale,
            height: metres_y * scale,
            title: title.to_owned(),
            map: String::new(),
            above: String::new(),
            legend: Vec::new(),
            is_narrow,
            labels: Labels::default(),
        }
    }

    pub(super) const fn bounds(&self) -> BoundingBox<f64> {
        self.bounds
    }

    pub(super) const fn view(&self) -> View {
        self.view
    }

    fn spot(&self, point: [f64; 2]) -> (f64, f64) {
        self.view.spot(point).pixels()
    }

    /// Draws lines at round numbers of metres, with the numbers at the borders.
    pub(super) fn grid(&mut self) {
        let BoundingBox { x0, y0, x1, y1 } = self.bounds;
        let step = round_number(MESH / self.view.scale);
        let (right, bottom) = (LEFT + self.width, TOP + self.height);
        let mut lines = String::new();
        for number in steps(x0, x1, step) {
            let (x, _) = self.spot([number, y0]);
            let _ = write!(lines, "M{x} {TOP}V{bottom:.2}");
            let text = format!("{number}");
            let _ = writeln!(
                self.above,
                r##"<text x="{x}" y="{:.2}" text-anchor="middle" class="n">{text}</text>"##,
                bottom + 17.0
            );
        }
        for number in steps(y0, y1, step) {
            let (_, y) = self.spot([x0, number]);
            let _ = write!(lines, "M{LEFT} {y}H{right:.2}");
            let _ = writeln!(
                self.above,
                r##"<text x="{:.2}" y="{:.2}" text-anchor="end" class="n">{number}</text>"##,
                LEFT - 7.0,
                y + 4.0
            );
        }
        let _ = writeln!(
            self.map,
            r##"<path d="{lines}" fill="none" stroke="#d9dce1" class="t" stroke-width="1"/>"##
        );
    }

    /// Draws lines, or areas if `fill` is a colour.
    pub(super) fn lines(&mut self, lines: Lines, colour: &str, name: &str, fill: &str, width: f64) {
        if lines.count == 0 {
            return;
        }
        let style = format!(
            r##"fill="{fill}" fill-opacity=".16" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round""##
        );
        let _ = writeln!(self.map, r##"<path class="t" {style} d="{}"/>"##, lines.data);
        let mark = match fill {
            "none" => "M0 0H14",
            _ => "M1 -5H13V5H1Z",
        };
        let mark = format!(r##"<path {style} d="{mark}"/>"##);
        self.legend.push(Entry { mark, name: name.to_owned(), count: Some(lines.count) });
    }

    pub(super) fn dots(&mut self, dots: Dots, kinds: &[(&str, &str, &[[f64; 2]])]) {
        let Dots { kinds: drawn, diameter } = dots;
        let mut entries = Vec::new();
        for ((name, colour, objects), spots) in kinds.iter().zip(drawn) {
            let mut data = String::with_capacity(spots.len() * 16);
            for spot in &spots {
                let _ = write!(data, "M{spot}h0");
            }
            let style = format!(r##"fill="none" stroke="{colour}" stroke-linecap="round""##);
            let _ = writeln!(
                self.map,
                r##"<path {style} stroke-opacity=".85" stroke-width="{diameter}" d="{data}"/>"##
            );
            let mark = format!(r##"<path {style} stroke-width="8" d="M7 0h0"/>"##);
            let (name, count) = ((*name).to_owned(), Some(objects.len()));
            entries.push(Entry { mark, name, count });
        }
        // The most frequent kinds come first, and all others last.
        if kinds.len() > entries.len().min(super::MOST_COLOURS) {
            entries.rotate_left(1);
        }
        self.legend.extend(entries);
    }

    /// Draws the density of objects.
    pub(super) fn density<'o>(
        &mut self,
        objects: impl Iterator<Item = &'o [f64; 2]>,
        count: usize,
    ) {
        /// The side of a cell, in pixels.
        const CELL: f64 = 4.0;
        let mut cells: HashMap<[i32; 2], usize> = HashMap::new();
        for point in objects {
            *cells.entry(self.view.spot(*point).cell(CELL)).or_default() += 1;
        }
        let most = cells.values().copied().max().unwrap_or(1);
        // The numbers of objects for two consecutive shades have a constant ratio.
        let ratio = (most as f64).powf(1.0 / DENSITIES.len() as f64).max(1.000_001);
        let shade = |count: usize| {
            let shade = ((count as f64).ln() / ratio.ln()).floor();
            (shade.max(0.0) as usize).min(DENSITIES.len() - 1)
        };
        let mut cells: Vec<([i32; 2], usize)> = cells.into_iter().collect();
        cells.sort_unstable();
        let mut paths = vec![String::new(); DENSITIES.len()];
        for ([x, y], count) in &cells {
            if let Some(path) = paths.get_mut(shade(*count)) {
                let (x, y) = (f64::from(*x) * CELL, f64::from(*y) * CELL);
                let _ = write!(path, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
            }
        }
        self.legend.push(Entry {
            mark: String::new(),
            name: "objects on a spot:".into(),
            count: Some(count),
        });
        for (shade, (path, colour)) in paths.iter().zip(DENSITIES).enumerate() {
            let _ = writeln!(self.map, r##"<path fill="{colour}" d="{path}"/>"##);
            let from = ratio.powi(i32::try_from(shade).unwrap_or_default()).ceil();
            let to = ratio.powi(i32::try_from(shade + 1).unwrap_or_default());
            let to = if shade + 1 == DENSITIES.len() { to.round() } else { to.ceil() - 1.0 };
            if from <= to && !path.is_empty() {
                let mark = format!(r##"<path fill="{colour}" d="M1 -6H13V6H1Z"/>"##);
                let name = if from == to { format!("{from}") } else { format!("{from} to {to}") };
                self.legend.push(Entry { mark, name, count: None });
            }
        }
    }

    pub(super) fn frame(&mut self, name: &str, [west, south, east, north]: [f64; 4]) {
        let (x, y) = self.spot([west, north]);
        let (x1, y1) = self.spot([east, south]);
        let _ = writeln!(
            self.map,
            r##"<path class="t" fill="none" stroke="#111" stroke-width="1.6" stroke-dasharray="9 5" d="M{x} {y}H{x1}V{y1}H{x}Z"/>"##
        );
        let name = shortened(name, 40);
        let (x, y) = (x + 8.0, y + 19.0);
        self.labels.take(x, y, &name);
        let name = escaped(&name);
        let _ = writeln!(
            self.map,
            r##"<text x="{x:.2}" y="{y:.2}" class="h" font-weight="bold">{name}</text>"##
        );
    }

    /// Draws places with their names. A name without room is only shown as a tooltip.
    pub(super) fn places(&mut self, places: &[(String, [f64; 2])]) {
        let is_there = |(_, [x, y]): &&(String, [f64; 2])| super::on_border(&self.bounds, *x, *y);
        let places = places.iter().filter(is_there).take(MOST_PLACES);
        let places: Vec<_> =
            places.map(|(name, place)| (shortened(name, 40), self.spot(*place))).collect();
        let (right, bottom) = (LEFT + self.width, TOP + self.height);
        let map = BoundingBox { x0: LEFT, y0: TOP, x1: right, y1: bottom };
        places.iter().for_each(|(_, (x, y))| self.labels.mark(*x, *y));
        let mut names = String::new();
        for (name, (x, y)) in places {
            let label = self.labels.beside((x, y), &name, &map);
            let name = escaped(&name);
            let top = y - 5.0;
            let _ = writeln!(
                self.map,
                r##"<path class="t" fill="#fff" stroke="#111" d="M{x} {top:.2}l5 5l-5 5l-5 -5z"><title>{name}</title></path>"##
            );
            if let Some(Label { x, y, anchor }) = label {
                let _ = writeln!(
                    names,
                    r##"<text x="{x:.2}" y="{y:.2}" text-anchor="{anchor}" class="h">{name}</text>"##
                );
            }
        }
        // No mark covers a name.
        self.map.push_str(&names);
    }

    /// Puts the picture together.
    pub(super) fn finish(mut self, objects: usize, outside: usize) -> String {
        let legend_height = self.legend.len() as f64 * LINE + 40.0;
        let (right, bottom) = (LEFT + self.width, TOP + self.height);
        let (width, height) = match self.is_narrow {
            true => (right + RIGHT, bottom + BOTTOM + legend_height - 40.0),
            false => {
                let beside = self.height.max(LEAST_BESIDE).max(legend_height);
                (right + LEGEND, TOP + beside + BOTTOM)
            }
        };
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" font-family="{FONT}" font-size="13">
<style>.t{{vector-effect:non-scaling-stroke}}.n{{fill:#5b616b;font-size:11.5px}}.h{{paint-order:stroke;stroke:#fff;stroke-width:3.5px;stroke-linejoin:round;fill:#111}}</style>
<title>{title}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="{LEFT}" y="29" font-size="19" font-weight="bold" fill="#111">{title}</text>
<clipPath id="map"><rect x="{LEFT}" y="{TOP}" width="{w:.2}" height="{h:.2}"/></clipPath>
<rect x="{LEFT}" y="{TOP}" width="{w:.2}" height="{h:.2}" fill="#fbfbfc"/>
<g clip-path="url(#map)">
"##,
            title = escaped(&shortened(&self.title, 80)),
            w = self.width,
            h = self.height,
        );
        svg.push_str(&self.map);
        let _ = writeln!(
            svg,
            r##"</g>
<rect class="t" x="{LEFT}" y="{TOP}" width="{:.2}" height="{:.2}" fill="none" stroke="#5b616b"/>"##,
            self.width, self.height
        );
        svg.push_str(&self.above);
        svg.push_str(&self.scale_bar(bottom + 38.0));
        svg.push_str(&north(right - 8.0, bottom + 26.0));
        let mut counted = match objects {
            1 => "1 object".to_owned(),
            count => format!("{} objects", grouped(count)),
        };
        if outside > 0 {
            let _ = write!(counted, ", {} outside", grouped(outside));
        }
        // This is below the scale bar, where the map may be narrow.
        let _ = writeln!(
            svg,
            r##"<text x="{LEFT}" y="{:.2}" class="n">{counted}; coordinates in metres</text>"##,
            bottom + 62.0
        );
        let (x, mut y) = match self.is_narrow {
            true => (LEFT, bottom + BOTTOM + 10.0),
            false => (right + 18.0, TOP + 12.0),
        };
        for Entry { mark, name, count } in std::mem::take(&mut self.legend) {
            let name = escaped(&shortened(&name, LONGEST));
            let _ = writeln!(
                svg,
                r##"<g transform="translate({x:.2} {y:.2})">{mark}<text x="22" y="4.5">{name}</text></g>"##
            );
            if let Some(count) = count {
                let _ = writeln!(
                    svg,
                    r##"<text x="{:.2}" y="{:.2}" text-anchor="end" class="n">{}</text>"##,
                    width - 10.0,
                    y + 4.5,
                    grouped(count)
                );
            }
            y += LINE;
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Draws a bar of a round number of metres, at most a fifth of the map.
    fn scale_bar(&self, y: f64) -> String {
        let metres = round_number((self.bounds.x1 - self.bounds.x0) / 5.0);
        let end = LEFT + metres * self.view.scale;
        let text = match metres {
            1000.0.. => format!("{} km", metres / 1000.0),
            _ => format!("{metres} m"),
        };
        format!(
            "<path class=\"t\" fill=\"none\" stroke=\"#111\" stroke-width=\"2\" d=\"M{LEFT} {:.2}V{y:.2}H{end:.2}V{:.2}\"/>\
             <text x=\"{:.2}\" y=\"{y:.2}\">{text}</text>\n",
            y - 6.0,
            y - 6.0,
            end + 8.0
        )
    }
}

/// Draws an arrow to the north, below the map.
fn north(x: f64, y: f64) -> String {
    let (beside, below) = (x - 10.0, y + 15.0);
    format!(
        "<path fill=\"#111\" d=\"M{x:.2} {y:.2}l6 20l-6 -5l-6 5z\"/>\
         <text x=\"{beside:.2}\" y=\"{below:.2}\" text-anchor=\"end\" font-weight=\"bold\">N</text>\n"
    )
}

/// Returns a box that has an area, and whose sides are not too different for a picture.
fn with_room(bounds: BoundingBox<f64>) -> BoundingBox<f64> {
    /// The smallest ratio of the shorter side to the longer one.
    const NARROWEST: f64 = 0.3;
    let BoundingBox { x0, y0, x1, y1 } = bounds;
    let longest = (x1 - x0).max(y1 - y0).max(10.0);
    let widen = |low: f64, high: f64| {
        let more = (longest * NARROWEST - (high - low)).max(0.0) / 2.0;
        (low - more, high + more)
    };
    let ((x0, x1), (y0, y1)) = (widen(x0, x1), widen(y0, y1));
    BoundingBox { x0, y0, x1, y1 }
}

/// Returns the largest number of 1, 2 and 5 with zeros that is not above this.
fn round_number(number: f64) -> f64 {
    let power = 10_f64.powf(number.log10().floor());
    let digits = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * power <= number);
    digits.unwrap_or(1.0) * power
}

/// Returns the multiples of a step from one number to another.
fn steps(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).ceil();
    (0..50).map(move |number| (first + f64::from(number)) * step).take_while(move |it| *it <= high)
}

/// Returns a number with its thousands separated.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn shortened(text: &str, longest: usize) -> String {
    match text.chars().count() > longest {
        true => text.chars().take(longest - 1).chain(['\u{2026}']).collect(),
        false => text.to_owned(),
    }
}

/// Escapes a text for XML, which cannot hold control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            it if it.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            it => escaped.push(it),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_are_not_above_the_number() {
        for (number, round) in [(1280.0, 1000.0), (2047.0, 2000.0), (0.7, 0.5), (99.0, 50.0)] {
            assert_eq!(round_number(number), round);
        }
    }

    #[test]
    fn texts_are_safe_in_xml() {
        assert_eq!(escaped("<a href=\"x\">&\u{7}"), "&lt;a href=&quot;x&quot;&gt;&amp;\u{fffd}");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(shortened("abcdef", 4), "abc\u{2026}");
    }
}
