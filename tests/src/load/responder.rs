//! A server that gives the answers it was given.

use std::io::{self, Read, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use bytes::Bytes;
use parallax_codec::code;

use super::Answers;

/// Answers every login and every poll at once, each connection on a thread of its
/// own; ends with the process.
#[derive(Debug)]
pub struct Responder {
    /// Where it listens.
    pub address: SocketAddr,
}

impl Responder {
    /// Listens on a free port of this machine.
    pub fn start(answers: &Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let answers = answers.clone();
        thread::spawn(move || {
            for socket in listener.incoming() {
                let Ok(socket) = socket else { continue };
                let (login, poll) = (answers.login.1.clone(), answers.poll.1.clone());
                // Whoever hangs up ends it.
                thread::spawn(move || serve(socket, &login, &poll));
            }
        });
        Self { address }
    }
}

fn serve(mut socket: TcpStream, login: &Bytes, poll: &Bytes) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut frame = Vec::new();
    loop {
        let code = next_request(&mut socket, &mut frame)?;
        let answer = if code == code::POLL_MESSAGES {
            poll
        } else {
            login
        };
        socket.write_all(answer)?;
    }
}

/// Reads one request of the classic dialect, and gives its command. A client that waits
/// for each reply has sent nothing beyond it.
fn next_request(socket: &mut TcpStream, frame: &mut Vec<u8>) -> io::Result<u32> {
    frame.clear();
    let mut chunk = [0; 4096];
    loop {
        match socket.read(&mut chunk)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => frame.extend_from_slice(&chunk[..count]),
        }
        if let Some((length, rest)) = frame.split_first_chunk()
            && rest.len() >= u32::from_le_bytes(*length) as usize
            && let Some(code) = rest.first_chunk()
        {
            return Ok(u32::from_le_bytes(*code));
        }
    }
}
