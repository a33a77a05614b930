//! A running engine, and the connection to it.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use formwork_variant::Variant;
use formwork_variant::frame::{ByteOrder, FrameReader, FrameWriter};
use formwork_variant::{Decoder, Encoder};

use crate::engine::{Engine, PATIENCE};

/// An engine that runs the project of its kind and is connected to the test.
///
/// All files that it writes go into a separate folder. At the end of the session, the engine ends; a test that fails
/// shows the engine's output.
pub struct Session<'a> {
    pub engine: &'a Engine,
    child: Child,
    stream: TcpStream,
    folder: tempfile::TempDir,
}

/// The name of the file with the engine's output.
const OUTPUT: &str = "output.txt";

impl<'a> Session<'a> {
    pub fn start(engine: &'a Engine) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let (project, script) = if engine.is_godot4() {
            (include_str!("godot4/project.godot"), include_str!("godot4/main.gd"))
        } else {
            (include_str!("godot3/project.godot"), include_str!("godot3/main.gd"))
        };
        write(&folder.path().join("project.godot"), project);
        write(&folder.path().join("main.gd"), script);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let mut command = engine.run(folder.path());
        command
            .env("FORMWORK_PORT", listener.local_addr().expect("it is bound").port().to_string());
        keep_in(&mut command, folder.path());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{engine:?}: {error}"));
        match connect(&listener, &mut child) {
            Ok(stream) => Self { engine, child, stream, folder },
            Err(reason) => {
                let _ = child.kill();
                let _ = child.wait();
                panic!("{engine:?} {reason} and printed:\n{}", output(folder.path()));
            }
        }
    }

    /// Returns the folder that the engine may write to.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Lets the engine call a function of its script.
    pub fn call(&self, function: &str, arguments: impl IntoIterator<Item = Variant>) {
        let job: Vec<Variant> = [Variant::from(function)].into_iter().chain(arguments).collect();
        let mut writer = FrameWriter::new(self.stream(), ByteOrder::Little);
        writer
            .write_value(&Variant::Array(job.into()), &Encoder::new(self.engine.dialect))
            .expect("the engine listens");
    }

    /// Returns a reader of the frames that the engine sends.
    pub fn reader(&self, order: ByteOrder) -> FrameReader<&TcpStream> {
        FrameReader::new(self.stream(), order)
    }

    /// Returns the next packet that the engine sends.
    pub fn packet(&self, order: ByteOrder) -> Vec<u8> {
        let mut reader = self.reader(order);
        let frame = reader.next_frame().unwrap_or_else(|error| panic!("no packet comes: {error}"));
        frame.expect("the engine has not left").packet.to_vec()
    }

    /// Returns the next value that the engine sends.
    pub fn value(&self) -> Variant {
        let packet = self.packet(ByteOrder::Little);
        Decoder::new(self.engine.dialect).decode(&packet).expect("the engine sends values")
    }

    /// Sends bytes while `read` takes the answers: neither side waits for the other.
    pub fn send_while<T>(
        &self,
        send: impl FnOnce(&TcpStream) + Send,
        read: impl FnOnce(&Self) -> T,
    ) -> T {
        std::thread::scope(|scope| {
            scope.spawn(|| send(&self.stream));
            read(self)
        })
    }

    /// Ends the engine regularly: it must report no errors.
    pub fn finish(mut self) {
        self.stream.shutdown(Shutdown::Write).expect("the engine is there");
        let started = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("the engine can be asked for") {
                Some(status) => break status,
                None if started.elapsed() > PATIENCE => panic!("the engine does not end"),
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        assert!(status.success(), "the engine ended with {status}");
        let output = output(self.folder());
        let complaint = output.contains("SCRIPT ERROR") || output.contains("Parse Error");
        assert!(!complaint, "the script is wrong");
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            println!("{:?} printed:\n{}", self.engine, output(self.folder()));
        }
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Gives the engine no other folder to write to, and no screen.
fn keep_in(command: &mut Command, folder: &Path) {
    for variable in ["HOME", "TMPDIR"] {
        command.env(variable, folder);
    }
    for variable in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] {
        let home = folder.join(variable);
        std::fs::create_dir(&home).expect("there is room for a folder");
        command.env(variable, home);
    }
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let output = File::create(folder.join(OUTPUT)).expect("there is room for a file");
    command.stdout(output.try_clone().expect("a file can be written by two")).stderr(output);
}

/// Returns the end of the engine's output.
fn output(folder: &Path) -> String {
    let bytes = std::fs::read(folder.join(OUTPUT)).unwrap_or_default();
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(8000)..]).into_owned()
}

/// Waits for the engine to connect.
fn connect(listener: &TcpListener, child: &mut Child) -> Result<TcpStream, String> {
    listener.set_nonblocking(true).expect("a listener need not wait");
    let started = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).expect("a stream may wait");
                stream.set_nodelay(true).expect("it is a TCP stream");
                stream.set_read_timeout(Some(PATIENCE)).expect("it is some time");
                stream.set_write_timeout(Some(PATIENCE)).expect("it is some time");
                return Ok(stream);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(format!("cannot be waited for ({error})")),
        }
        if let Ok(Some(status)) = child.try_wait() {
            return Err(format!("ended with {status}"));
        }
        if started.elapsed() > PATIENCE {
            return Err("did not connect".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Writes everything, as long as the engine reads it.
pub fn write_all(mut stream: &TcpStream, bytes: &[u8]) {
    // If the engine has ended, the reading side reports it.
    let _ = stream.write_all(bytes);
}
