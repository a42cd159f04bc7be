//! Connections and what they have joined.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use parallax_codec::commands::{Client, ClientDetails, GroupMembership};

use super::refusal::Refusal;

/// The connected clients, by number.
#[derive(Debug, Default)]
pub(super) struct Clients {
    clients: BTreeMap<u32, Connected>,
    last: u32,
}

#[derive(Debug)]
struct Connected {
    /// Which node it is connected to, counted from 0.
    node: usize,
    address: SocketAddr,
    user: Option<u32>,
    groups: Vec<GroupMembership>,
    /// In the VSR dialect: the client and its session.
    session: Option<(u128, u64)>,
    /// The connection for whose session it polls.
    acts_for: Option<u32>,
}

const TCP: u8 = 1;

impl Clients {
    /// A number for a new connection, from 1 on: 0 is HTTP, which has none.
    pub(super) fn connect(&mut self, node: usize, address: SocketAddr) -> u32 {
        self.last = self.last.wrapping_add(1).max(1);
        let connected = Connected {
            node,
            address,
            user: None,
            groups: Vec::new(),
            session: None,
            acts_for: None,
        };
        self.clients.insert(self.last, connected);
        self.last
    }

    /// Forgets a client.
    pub(super) fn disconnect(&mut self, client: u32) {
        self.clients.remove(&client);
    }

    /// What a client had joined; it has joined nothing any more.
    pub(super) fn take_groups(&mut self, client: u32) -> Vec<GroupMembership> {
        let connected = self.clients.get_mut(&client);
        let groups = connected.map(|connected| std::mem::take(&mut connected.groups));
        groups.unwrap_or_default()
    }

    /// Notes who has logged in, or that nobody is any more.
    pub(super) fn set_user(&mut self, client: u32, user: Option<u32>) {
        if let Some(connected) = self.clients.get_mut(&client) {
            connected.user = user;
        }
    }

    /// Who has logged in.
    ///
    /// # Errors
    /// Nobody.
    pub(super) fn user(&self, client: u32) -> Result<u32, Refusal> {
        let connected = self.clients.get(&client);
        let user = connected.and_then(|connected| connected.user);
        user.ok_or_else(Refusal::unauthenticated)
    }

    /// The node that it is connected to.
    pub(super) fn node(&self, client: u32) -> usize {
        let connected = self.clients.get(&client);
        connected.map_or(0, |connected| connected.node)
    }

    /// Notes the session that was opened.
    pub(super) fn set_session(&mut self, client: u32, session: (u128, u64)) {
        if let Some(connected) = self.clients.get_mut(&client) {
            connected.session = Some(session);
        }
    }

    /// The session of a connection.
    ///
    /// # Errors
    /// None was opened.
    pub(super) fn session(&self, client: u32) -> Result<(u128, u64), Refusal> {
        let connected = self.clients.get(&client);
        let session = connected.and_then(|connected| connected.session);
        session.ok_or_else(Refusal::unauthenticated)
    }

    /// From now on a connection acts for the one that has this session.
    ///
    /// # Errors
    /// 58: no connection has it, or not any more.
    pub(super) fn attach(&mut self, client: u32, session: (u128, u64)) -> Result<(), Refusal> {
        let mut clients = self.clients.iter();
        let found = clients.find(|(_, connected)| connected.session == Some(session));
        let number = found.map(|(number, _)| *number);
        let number = number.ok_or_else(Refusal::transient_not_accepted)?;
        if let Some(connected) = self.clients.get_mut(&client) {
            connected.acts_for = Some(number);
        }
        Ok(())
    }

    /// Whom a connection acts for: itself, where it is attached to no other.
    pub(super) fn acts_for(&self, client: u32) -> u32 {
        let connected = self.clients.get(&client);
        connected
            .and_then(|connected| connected.acts_for)
            .unwrap_or(client)
    }

    pub(super) fn join(&mut self, client: u32, membership: GroupMembership) {
        if let Some(connected) = self.clients.get_mut(&client)
            && !connected.groups.contains(&membership)
        {
            connected.groups.push(membership);
        }
    }

    pub(super) fn leave(&mut self, client: u32, membership: &GroupMembership) {
        if let Some(connected) = self.clients.get_mut(&client) {
            connected.groups.retain(|joined| joined != membership);
        }
    }

    /// Takes groups that are gone from every client.
    pub(super) fn forget_groups(&mut self, is_gone: impl Fn(&GroupMembership) -> bool) {
        for connected in self.clients.values_mut() {
            connected.groups.retain(|joined| !is_gone(joined));
        }
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.clients.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn all(&self) -> Vec<Client> {
        let clients = self.clients.iter();
        clients
            .map(|(number, client)| reply(*number, client))
            .collect()
    }

    pub(super) fn details(&self, number: u32) -> Option<ClientDetails> {
        let client = self.clients.get(&number)?;
        Some(ClientDetails {
            client: reply(number, client),
            consumer_groups: client.groups.clone(),
        })
    }
}

fn reply(client_id: u32, client: &Connected) -> Client {
    Client {
        client_id,
        user_id: client.user.unwrap_or(u32::MAX),
        transport: TCP,
        address: client.address.to_string(),
        consumer_groups_count: u32::try_from(client.groups.len()).unwrap_or(u32::MAX),
    }
}
