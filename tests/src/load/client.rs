//! Clients of the binary protocol that wait for each reply.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use super::Answers;
use super::measured::{Measured, record};

/// So many clients, each with a connection and a thread of its own.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Clients.
    pub connections: usize,
    /// When each asks.
    pub pace: Pace,
    /// How long they ask before it is measured.
    pub warm_up: Duration,
    /// How long it is measured.
    pub duration: Duration,
}

/// When a client asks.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// As soon as it has its reply.
    AtOnce,
    /// All clients together so many times a second, evenly. A poll that has to wait
    /// for an earlier reply counts from when it was due, so that a relay that stalls
    /// cannot hide it by keeping its clients from asking (coordinated omission).
    Polls(f64),
}

impl Load {
    /// Logs in, asks and measures. Every reply has to be the one that is known.
    ///
    /// # Errors
    /// A connection failed, or a reply was another.
    pub fn run(self, address: SocketAddr, answers: &Answers) -> io::Result<Measured> {
        let start = Arc::new(Barrier::new(self.connections));
        let clients: Vec<_> = (0..self.connections)
            .map(|number| {
                let (answers, start) = (answers.clone(), Arc::clone(&start));
                thread::spawn(move || self.client(number, address, &answers, &start))
            })
            .collect();
        let mut measured = Measured::new();
        for client in clients {
            let one = client.join().map_err(|_| io::ErrorKind::Other)??;
            measured.add(&one);
        }
        Ok(measured)
    }

    fn client(
        self,
        number: usize,
        address: SocketAddr,
        answers: &Answers,
        start: &Barrier,
    ) -> io::Result<Measured> {
        let connected = Client::connect(address, answers);
        // Whoever failed must not keep the others waiting.
        start.wait();
        let mut client = connected?;
        let begin = Instant::now();
        let measured_from = begin + self.warm_up;
        let end = measured_from + self.duration;
        let mut due = begin;
        let interval = self.interval();
        if let Some(interval) = interval {
            let clients = u32::try_from(self.connections).unwrap_or(u32::MAX);
            due += interval / clients * u32::try_from(number).unwrap_or(0);
        }
        let mut measured = Measured::new();
        loop {
            let mut now = Instant::now();
            let mut late = None;
            if interval.is_none() {
                due = now;
            } else if now < due {
                thread::sleep(due - now);
                now = Instant::now();
                late = Some(now - due);
                due = now;
            }
            if now >= end {
                break;
            }
            client.poll(answers)?;
            measured.polls += 1;
            if due >= measured_from {
                record(&mut measured.latency, due.elapsed());
                if let Some(late) = late {
                    record(&mut measured.lateness, late);
                }
            }
            if let Some(interval) = interval {
                due += interval;
                // The timer's lateness must not add up.
                if let Some(late) = late {
                    due -= late;
                }
            }
        }
        measured.elapsed = end - measured_from;
        Ok(measured)
    }

    /// Between two polls of one client.
    fn interval(self) -> Option<Duration> {
        match self.pace {
            Pace::AtOnce => None,
            #[allow(clippy::cast_precision_loss)]
            Pace::Polls(rate) => Some(Duration::from_secs_f64(self.connections as f64 / rate)),
        }
    }
}

/// Bytes that are compared at either end of a reply: to compare all of a megabyte would
/// cost what the relay does.
const COMPARED: usize = 4096;

struct Client {
    socket: TcpStream,
    reply: Vec<u8>,
}

impl Client {
    fn connect(address: SocketAddr, answers: &Answers) -> io::Result<Self> {
        let socket = TcpStream::connect(address)?;
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(Duration::from_secs(30)))?;
        let mut client = Self {
            socket,
            reply: Vec::new(),
        };
        client.exchange(&answers.login)?;
        Ok(client)
    }

    fn poll(&mut self, answers: &Answers) -> io::Result<()> {
        self.exchange(&answers.poll)
    }

    fn exchange(&mut self, (request, reply): &(bytes::Bytes, bytes::Bytes)) -> io::Result<()> {
        self.socket.write_all(request)?;
        self.reply.resize(reply.len(), 0);
        self.socket.read_exact(&mut self.reply)?;
        let part = reply.len().min(COMPARED);
        let tail = reply.len() - part;
        let same = self.reply[..part] == reply[..part] && self.reply[tail..] == reply[tail..];
        if same {
            Ok(())
        } else {
            Err(io::Error::other("the reply is not the server's"))
        }
    }
}
