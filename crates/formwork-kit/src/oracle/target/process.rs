//! A process under test: started in a separate process group, watched, and ended with all its children.

use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::tail::Tail;

/// A running process. Dropped, it is ended with the whole of its group.
pub(super) struct Process {
    child: Child,
    stderr: Option<Tail>,
    /// The end of its standard output, if its answers go another way.
    stdout: Option<Tail>,
}

impl Process {
    /// How long a process that has closed its output may take to end.
    pub(super) const LEAVE: Duration = Duration::from_secs(1);
    /// How many time limits more are given, at most, to one that gets no processor: on a busy machine, a
    /// limit is on the time in which it could have answered.
    pub(super) const MOST_DELAY: u32 = 10;

    /// Starts a command, with a limit of `memory` bytes if it is given.
    pub(super) fn start(words: &[String], memory: Option<u64>, stdin: Stdio) -> io::Result<Self> {
        let (program, arguments) =
            words.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let child = command.spawn().map_err(|error| {
            io::Error::new(error.kind(), format!("{program} cannot be started: {error}"))
        })?;
        let mut process = Self { child, stderr: None, stdout: None };
        system::limit(&process.child, memory);
        process.stderr = process.child.stderr.take().map(Tail::of);
        Ok(process)
    }

    /// The streams that the protocol goes over.
    pub(super) fn streams(&mut self) -> io::Result<(ChildStdin, ChildStdout)> {
        self.child
            .stdin
            .take()
            .zip(self.child.stdout.take())
            .ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))
    }

    /// Returns the standard output, if its answers go another way.
    pub(super) fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Keeps only the end of what it prints.
    pub(super) fn ignore_stdout(&mut self) {
        self.stdout = self.child.stdout.take().map(Tail::of);
    }

    /// How it ended, waiting so long at most; [`None`] where it did not.
    pub(super) fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        let mut pause = Duration::from_micros(100);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if started.elapsed() >= patience {
                return None;
            }
            thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(5));
        }
    }

    /// Ends it, and says how it ended and the end of what it printed on standard error. One that has
    /// closed its output gets this time to end by itself.
    pub(super) fn finish(mut self, leave: Duration) -> (String, String) {
        let status = match self.ended(leave) {
            Some(status) => said(status),
            None => "closed its output, and did not end".to_owned(),
        };
        self.kill();
        (status, self.stderr())
    }

    /// The end of what it printed on standard error, or of its standard output if there is nothing and
    /// that is not its answer. It is ended first.
    pub(super) fn stderr(&mut self) -> String {
        self.kill();
        let text = |tail: &Option<Tail>| tail.as_ref().map(Tail::text).unwrap_or_default();
        let printed = text(&self.stderr);
        if printed.trim().is_empty() { text(&self.stdout) } else { printed }
    }

    /// Whether it has more memory than that, with what it started.
    pub(super) fn exceeds(&self, memory: u64) -> bool {
        memory > 0 && system::resident(self.child.id()) > memory
    }

    /// How long it has been computing, with what it started.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        system::cpu_time(self.child.id())
    }

    /// How long it has been ready to compute and got no processor.
    pub(super) fn delay(&self) -> Duration {
        system::delay(self.child.id())
    }

    fn kill(&mut self) {
        system::kill_group(&self.child);
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How a process ended, the same in every run: `exit status 101`, `signal 11 (SIGSEGV)`.
pub(super) fn said(status: ExitStatus) -> String {
    let text = status.to_string().replacen(": ", " ", 1);
    // Whether the memory was kept is a matter of settings.
    text.strip_suffix(" (core dumped)").unwrap_or(&text).to_owned()
}

/// System calls that only Linux has.
#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::process::Child;
    use std::time::Duration;

    use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};

    /// Whether memory can be refused.
    pub(super) const REFUSES: bool = true;

    /// Refuses a process more memory. The limit is on what it may write to, as runtimes reserve much
    /// more than they use. (And none leaves its memory in a file when it crashes.)
    pub(super) fn limit(child: &Child, memory: Option<u64>) {
        let pid = Some(Pid::from_child(child));
        let limit = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
        // It may have ended already.
        let _ = prlimit(pid, Resource::Core, limit(0));
        if let Some(bytes) = memory {
            let _ = prlimit(pid, Resource::Data, limit(bytes));
        }
    }

    /// Ends all processes of the group.
    pub(super) fn kill_group(child: &Child) {
        // There may be none left.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }

    /// A process and those that it started, as far as they can be found.
    fn family(id: u32) -> Vec<u32> {
        /// Enough for a shell script around a program.
        const MOST: usize = 64;
        let mut found = vec![id];
        let mut next = 0;
        while let Some(&parent) = found.get(next).filter(|_| found.len() < MOST) {
            next += 1;
            for thread in
                fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten()
            {
                let children = fs::read_to_string(thread.path().join("children"));
                let children = children.unwrap_or_default();
                found.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
            }
        }
        found
    }

    /// Bytes that they have in memory.
    pub(super) fn resident(id: u32) -> u64 {
        let of = |id: u32| {
            let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
            line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        };
        family(id).into_iter().filter_map(of).sum::<u64>() * 1024
    }

    /// How long each of their threads has been computing, and how long it has waited for a processor, in
    /// nanoseconds. (`stat` counts in hundredths of a second, which is too coarse for a packet.)
    fn times(id: u32) -> impl Iterator<Item = (u64, u64)> {
        let threads = family(id).into_iter().flat_map(|id| {
            fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten()
        });
        threads.filter_map(|thread| {
            let said = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let mut numbers = said.split_whitespace().map(str::parse);
            Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
        })
    }

    /// How long they have been computing.
    pub(super) fn cpu_time(id: u32) -> Option<Duration> {
        times(id).map(|(computed, _)| computed).reduce(|a, b| a + b).map(Duration::from_nanos)
    }

    /// How long the thread that waited most has waited for a processor.
    pub(super) fn delay(id: u32) -> Duration {
        Duration::from_nanos(times(id).map(|(_, waited)| waited).max().unwrap_or(0))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::process::Child;
    use std::time::Duration;

    pub(super) const REFUSES: bool = false;

    pub(super) fn limit(_: &Child, _: Option<u64>) {}

    pub(super) fn kill_group(_: &Child) {}

    pub(super) fn resident(_: u32) -> u64 {
        0
    }

    pub(super) fn cpu_time(_: u32) -> Option<Duration> {
        None
    }

    pub(super) fn delay(_: u32) -> Duration {
        Duration::ZERO
    }
}

/// Whether memory can be refused here.
pub(super) const REFUSES_MEMORY: bool = system::REFUSES;
