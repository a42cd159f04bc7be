use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow, write_sequence};

/// The nodes of a cluster: the reply to 12. A client may go on to the addresses
/// in it, past a proxy.
///
/// ```text
/// [name length u32][name][nodes count u32][node]*
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/system/get_cluster_metadata.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterMetadata {
    /// The cluster's name.
    pub name: String,
    /// Its nodes.
    pub nodes: Vec<ClusterNode>,
}

impl Decode for ClusterMetadata {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, name) = reader::text_u32("cluster name", input)?;
        let (rest, count) = reader::u32("nodes count", rest)?;
        let (rest, nodes) = reader::repeated(count, rest, ClusterNode::parse)?;
        Ok((rest, Self { name, nodes }))
    }
}

impl Encode for ClusterMetadata {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u32("name_length", "name", &self.name);
        writer.u32("nodes_count", narrow(self.nodes.len()));
        write_sequence("nodes", "node", &self.nodes, writer);
    }
}

/// A node and the addresses it advertises.
///
/// ```text
/// [name length u32][name][ip length u32][ip]
/// [tcp_port u16][quic_port u16][http_port u16][websocket_port u16][role u8][status u8]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/system/get_cluster_metadata.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterNode {
    /// Its name.
    pub name: String,
    /// Its address, without a port.
    pub ip: String,
    /// Where it speaks TCP.
    pub tcp_port: u16,
    /// Where it speaks QUIC.
    pub quic_port: u16,
    /// Where it speaks HTTP.
    pub http_port: u16,
    /// Where it speaks WebSocket.
    pub websocket_port: u16,
    /// 0 leader, 1 follower.
    pub role: u8,
    /// 0 healthy, 1 starting, 2 stopping, 3 unreachable, 4 maintenance.
    pub status: u8,
}

impl Decode for ClusterNode {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, name) = reader::text_u32("node name", input)?;
        let (rest, ip) = reader::text_u32("node ip", rest)?;
        let (rest, tcp_port) = reader::u16("tcp port", rest)?;
        let (rest, quic_port) = reader::u16("quic port", rest)?;
        let (rest, http_port) = reader::u16("http port", rest)?;
        let (rest, websocket_port) = reader::u16("websocket port", rest)?;
        let (rest, role) = reader::u8("role", rest)?;
        let (rest, status) = reader::u8("status", rest)?;
        let value = Self {
            name,
            ip,
            tcp_port,
            quic_port,
            http_port,
            websocket_port,
            role,
            status,
        };
        Ok((rest, value))
    }
}

impl Encode for ClusterNode {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u32("name_length", "name", &self.name);
        writer.text_u32("ip_length", "ip", &self.ip);
        writer.u16("tcp_port", self.tcp_port);
        writer.u16("quic_port", self.quic_port);
        writer.u16("http_port", self.http_port);
        writer.u16("websocket_port", self.websocket_port);
        writer.kind("role", self.role, role_name(self.role));
        writer.kind("status", self.status, status_name(self.status));
    }
}

pub(crate) const fn role_name(number: u8) -> &'static str {
    match number {
        0 => "leader",
        1 => "follower",
        _ => "unknown",
    }
}

pub(crate) const fn status_name(number: u8) -> &'static str {
    match number {
        0 => "healthy",
        1 => "starting",
        2 => "stopping",
        3 => "unreachable",
        4 => "maintenance",
        _ => "unknown",
    }
}
