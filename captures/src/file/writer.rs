use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::Direction;

use super::comment;
use super::http_text;
use super::pcapng::Block;
use super::record::{ConnectionRecord, ExchangeRecord, FindingRecord, LostRecord, Record};
use super::stream::{Act, MAX_SEGMENT, Stream};
use crate::connection::{Connection, ConnectionId, Dialect};
use crate::decoding::AnyFrame;
use crate::exchange::{Content, Exchange};
use crate::finding::Finding;
use crate::journal::Totals;
use crate::limits::CAPTURE_STREAMS;
use crate::verdict::{AskedBy, AskedTimes};

/// The interface of the clients' connections.
pub(super) const CLIENTS: u32 = 0;
/// The interface of the mirror's.
pub(super) const MIRROR: u32 = 1;

/// Where the mirror asks, as long as nobody says.
const HTTP_PORT: u16 = 3000;

/// Writes what was seen as a pcapng file that Wireshark opens and parallax reads
/// back.
///
/// Each call writes whole blocks, one `write` each; nothing is held back. What is
/// given is masked already: a [`Connection`] or an [`Exchange`] holds no secret.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    position: u64,
    packets: u64,
    about: About,
    streams: BTreeMap<ConnectionId, Stream>,
    mirror: Option<Stream>,
}

/// What a file says of its making.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Where the mirror asks; not known where it is `None`.
    pub http: Option<SocketAddr>,
    /// When the recording goes on that this file is a part of: connections that were
    /// open before have no handshake in it.
    pub since: Option<Timestamp>,
    /// What is to be known of the whole file: that payloads in it were replaced.
    pub note: Option<String>,
}

/// Where an exchange stands in a file: its first byte, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Bytes before it.
    pub offset: u64,
    /// Its bytes: whole blocks.
    pub length: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// As `out` has them, here and in all that follows.
    pub fn new(out: W, about: About) -> io::Result<Self> {
        let mut writer = Self {
            out,
            position: 0,
            packets: 0,
            about,
            streams: BTreeMap::new(),
            mirror: None,
        };
        let application = concat!("parallax ", env!("CARGO_PKG_VERSION"));
        let mut section = Block::section(application);
        if let Some(note) = &writer.about.note {
            section.comment(note);
        }
        writer.block(section)?;
        let clients = "what clients and server said to each other; packets are made up, \
                       their bytes and times are not";
        writer.block(Block::interface("clients", clients))?;
        let mirror = "parallax's own HTTP requests; headers and layout are made up, and times \
                      where they are not known";
        writer.block(Block::interface("mirror", mirror))?;
        Ok(writer)
    }

    /// Bytes written so far.
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// What is written to.
    pub const fn get_ref(&self) -> &W {
        &self.out
    }

    /// What is written to, to have it flushed or kept.
    pub const fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes what is known of a connection at `time`: its handshake, once; an empty
    /// packet with the news; its end.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn connection(&mut self, connection: &Connection, time: Timestamp) -> io::Result<()> {
        use Direction::{ToClient, ToServer};
        let id = connection.id;
        let known = self.streams.contains_key(&id);
        let fresh = Stream::new(connection.client, connection.server);
        self.streams
            .entry(id)
            .or_insert(fresh)
            .connected(connection.server);
        self.forget_oldest(id);
        let opened = connection.opened;
        let has_handshake = !known && self.about.since.is_none_or(|since| opened >= since);
        let record = Record::Connection(ConnectionRecord::from(connection));
        let record = comment::encode(&record);
        if has_handshake {
            let mut text = format!("connection {id} opened");
            if connection.unserved {
                text += "; it was not served";
            }
            let news = News {
                text: Some(&text),
                record: record.as_deref(),
            };
            self.packet(id, opened, ToServer, Act::Open, &[], &news)?;
            if !connection.unserved {
                self.packet(id, opened, ToClient, Act::AcceptOpen, &[], &News::NONE)?;
                self.packet(id, opened, ToServer, Act::Data, &[], &News::NONE)?;
            }
        }
        match &connection.closed {
            Some((closed, why)) => {
                self.packet(id, *closed, ToServer, Act::Close, &[], &News::NONE)?;
                let mut text = format!("connection {id} ended: {why}");
                for gap in connection.gaps.iter() {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\n{gap}");
                }
                let news = News {
                    text: Some(&text),
                    record: record.as_deref(),
                };
                self.packet(id, *closed, ToClient, Act::Close, &[], &news)
            }
            None if has_handshake => Ok(()),
            None => {
                let text = format!("connection {id}, more is known");
                let news = News {
                    text: Some(&text),
                    record: record.as_deref(),
                };
                self.packet(id, time, ToServer, Act::Data, &[], &news)
            }
        }
    }

    /// Writes an exchange: its frames, what the mirror asked for it, and its record.
    /// [`Writer::connection`] has told of its connection before.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn exchange(&mut self, exchange: &Exchange) -> io::Result<Location> {
        let offset = self.position;
        let record = record_of(exchange, Record::Exchange);
        let (request, reply) = match &exchange.content {
            Content::Binary(content) => {
                (content.request_frame.clone(), content.reply_frame.clone())
            }
            Content::Http(content) => {
                let reply = content.http_status.is_some();
                let reply = reply.then(|| http_text::response(content).into());
                (
                    http_text::request(content).into(),
                    reply.unwrap_or_default(),
                )
            }
            Content::Unsolicited(content) => (Bytes::new(), content.frame.clone()),
        };
        let times = exchange.times;
        let asked = comment::of_request(exchange);
        let last = if reply.is_empty() {
            record.as_deref()
        } else {
            None
        };
        let news = News {
            text: Some(&asked),
            record: last,
        };
        let span = (times.request_first, times.request_last);
        self.frame(exchange, Direction::ToServer, span, &request, &news)?;
        if !reply.is_empty() {
            self.mirrored(exchange)?;
            let text = comment::of_reply(exchange);
            let news = News {
                text: Some(&text),
                record: record.as_deref(),
            };
            let span = times.reply.unwrap_or(span);
            self.frame(exchange, Direction::ToClient, span, &reply, &news)?;
        }
        let length = self.position - offset;
        Ok(Location { offset, length })
    }

    /// Writes what became known of an exchange at `time`, after it was written.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn amend(&mut self, exchange: &Exchange, time: Timestamp) -> io::Result<()> {
        let record = record_of(exchange, Record::Amended);
        let text = comment::of_amendment(exchange);
        let news = News {
            text: Some(&text),
            record: record.as_deref(),
        };
        self.packet(
            exchange.conn,
            time,
            Direction::ToServer,
            Act::Data,
            &[],
            &news,
        )
    }

    /// Writes a finding as it is now, on the connection of its latest exchange.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn finding(&mut self, finding: &Finding, conn: ConnectionId) -> io::Result<()> {
        let record = comment::encode(&Record::Finding(FindingRecord::from(finding)));
        let text = comment::of_finding(finding);
        let news = News {
            text: Some(&text),
            record: record.as_deref(),
        };
        self.packet(
            conn,
            finding.last,
            Direction::ToServer,
            Act::Data,
            &[],
            &news,
        )
    }

    /// Writes how much was lost so far, before it could be seen or written, in the
    /// statistics of the clients' interface.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn lost(
        &mut self,
        totals: &Totals,
        exchanges_not_kept: u64,
        time: Timestamp,
    ) -> io::Result<()> {
        let lost = LostRecord::of(totals, exchanges_not_kept);
        let dropped = lost.observations_dropped + exchanges_not_kept;
        let mut block = Block::statistics(CLIENTS, time, self.packets + dropped, dropped);
        block.comment(&format!(
            "exchanges that were not kept: {exchanges_not_kept}; pieces of traffic that were not \
             looked at: {}; polls that were not mirrored: {}; findings for which there was no \
             room: {}",
            lost.observations_dropped, lost.polls_not_mirrored, lost.findings_dropped
        ));
        if let Some(record) = comment::encode(&Record::Lost(lost)) {
            comment::attach(&mut block, &record);
        }
        self.block(block)
    }

    /// Writes a sentence on the file itself, in the statistics of the clients' interface.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn remark(&mut self, text: &str, time: Timestamp) -> io::Result<()> {
        let mut block = Block::statistics(CLIENTS, time, self.packets, 0);
        block.comment(text);
        self.block(block)
    }

    /// One frame, in as many packets as it takes: the readable comment on the first,
    /// the record on the last.
    fn frame(
        &mut self,
        exchange: &Exchange,
        direction: Direction,
        (first, last): (Timestamp, Timestamp),
        frame: &Bytes,
        news: &News<'_>,
    ) -> io::Result<()> {
        let count = frame.len().div_ceil(MAX_SEGMENT);
        for (number, part) in (1..).zip(frame.chunks(MAX_SEGMENT)) {
            let time = if number == 1 { first } else { last };
            let news = News {
                text: news.text.filter(|_| number == 1),
                record: news.record.filter(|_| number == count),
            };
            self.packet(exchange.conn, time, direction, Act::Data, part, &news)?;
        }
        let missing = not_kept(exchange.dialect, direction, frame);
        if let Some(stream) = self.streams.get_mut(&exchange.conn) {
            stream.advance(direction, missing);
        }
        Ok(())
    }

    /// What the mirror asked on behalf of an exchange, and what came back.
    fn mirrored(&mut self, exchange: &Exchange) -> io::Result<()> {
        let Some(verdict) = &exchange.verdict else {
            return Ok(());
        };
        let again = verdict.asked_again.iter().flat_map(|again| &again.answers);
        let answers = verdict.answers.iter().chain(again);
        let (_, replied) = exchange
            .times
            .reply
            .unwrap_or((exchange.times.request_first, exchange.times.request_last));
        for answer in answers.filter(|answer| answer.asked_by == AskedBy::Mirror) {
            let text = format!("asked by parallax for exchange {}", exchange.n);
            let request = http_text::mirror_request(answer);
            let made_up = || AskedTimes::after(replied, answer.latency.unwrap_or_default());
            let times = answer.times.unwrap_or_else(made_up);
            self.mirror_packets(times.asked, Direction::ToServer, &request, text)?;
            if let Some(response) = http_text::mirror_response(answer) {
                let text = format!("for exchange {}", exchange.n);
                self.mirror_packets(times.answered, Direction::ToClient, &response, text)?;
            }
        }
        Ok(())
    }

    fn mirror_packets(
        &mut self,
        time: Timestamp,
        direction: Direction,
        bytes: &[u8],
        text: String,
    ) -> io::Result<()> {
        let http = self.about.http.unwrap_or_else(|| {
            let ip = IpAddr::V4(Ipv4Addr::LOCALHOST);
            SocketAddr::new(ip, HTTP_PORT)
        });
        let own = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), u16::MAX);
        let stream = self.mirror.get_or_insert_with(|| Stream::new(own, http));
        let mut text = Some(text);
        let mut blocks = Vec::new();
        for part in bytes.chunks(MAX_SEGMENT) {
            let packet = stream.packet(direction, Act::Data, part);
            let mut block = Block::packet(MIRROR, time, &packet, direction);
            if let Some(text) = text.take() {
                block.comment(&text);
            }
            blocks.push(block);
        }
        blocks.into_iter().try_for_each(|block| self.block(block))
    }

    fn packet(
        &mut self,
        conn: ConnectionId,
        time: Timestamp,
        direction: Direction,
        act: Act,
        payload: &[u8],
        news: &News<'_>,
    ) -> io::Result<()> {
        let unknown = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
        let stream = self
            .streams
            .entry(conn)
            .or_insert_with(|| Stream::new(unknown, unknown));
        let packet = stream.packet(direction, act, payload);
        let mut block = Block::packet(CLIENTS, time, &packet, direction);
        if let Some(text) = news.text {
            block.comment(text);
        }
        if let Some(record) = news.record {
            comment::attach(&mut block, record);
        }
        self.packets += 1;
        self.block(block)
    }

    fn block(&mut self, block: Block) -> io::Result<()> {
        self.position += block.write(&mut self.out)?;
        Ok(())
    }

    /// Keeps the numbers of the latest connections; `latest` is one of them.
    fn forget_oldest(&mut self, latest: ConnectionId) {
        while self.streams.len() > CAPTURE_STREAMS {
            let oldest = self.streams.keys().find(|id| **id != latest).copied();
            match oldest {
                Some(oldest) => self.streams.remove(&oldest),
                None => return,
            };
        }
    }
}

/// What a packet has to tell.
#[derive(Debug)]
struct News<'a> {
    text: Option<&'a str>,
    record: Option<&'a str>,
}

impl News<'_> {
    const NONE: Self = Self {
        text: None,
        record: None,
    };
}

/// An exchange's record; without what the mirror was answered, where that is too
/// long.
fn record_of(exchange: &Exchange, record: fn(ExchangeRecord) -> Record) -> Option<String> {
    let whole = comment::encode(&record(ExchangeRecord::of(exchange)));
    whole.or_else(|| comment::encode(&record(ExchangeRecord::without_answers(exchange))))
}

/// Bytes of a frame that its header announces and that were not kept.
fn not_kept(dialect: Dialect, direction: Direction, frame: &Bytes) -> u64 {
    let Some(frame) = AnyFrame::kept(dialect, direction, frame) else {
        return 0;
    };
    frame.body_length().saturating_sub(frame.held() as u64)
}
