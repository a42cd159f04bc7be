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
    address: SocketAddr,
    user: Option<u32>,
    groups: Vec<GroupMembership>,
}

const TCP: u8 = 1;

impl Clients {
    /// A number for a new connection, from 1 on: 0 is HTTP, which has none.
    pub(super) fn connect(&mut self, address: SocketAddr) -> u32 {
        self.last = self.last.wrapping_add(1).max(1);
        let connected = Connected {
            address,
            user: None,
            groups: Vec::new(),
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
