//! The stand-in's state: commands in, replies out, time as a value. No sockets,
//! no clock. Behaviour is that of server 0.8.0, seen in its recordings and
//! checked against it; where its source had to be read, the file says so.

mod clients;
mod entropy;
mod group;
mod groups;
mod log;
mod messages;
mod offsets;
mod refusal;
mod slots;
mod stats;
mod streams;
mod topics;
mod topology;
mod users;

use std::net::SocketAddr;

use parallax_codec::commands::{ClusterMetadata, ClusterNode, Identity, LoginUser};
use parallax_codec::primitives::Secret;
use parallax_codec::{Reply, Request};

use super::config::FalseFirstOffset;
use clients::Clients;
use entropy::Entropy;
use slots::Slots;
use topology::Stream;
use users::Users;

pub use log::checksum;
pub use refusal::Refusal;

/// The client number that stands for HTTP, which has no connection.
pub(crate) const HTTP_CLIENT: u32 = 0;

/// The state of a server.
pub struct Model {
    streams: Slots<Stream>,
    users: Users,
    clients: Clients,
    faults: Vec<FalseFirstOffset>,
    entropy: Entropy,
    started_at: u64,
    tcp: SocketAddr,
    http: SocketAddr,
}

impl Model {
    /// An empty server that started at `now`, in microseconds since 1970, and
    /// advertises these addresses.
    pub fn new(
        username: String,
        password: Secret,
        faults: Vec<FalseFirstOffset>,
        (tcp, http): (SocketAddr, SocketAddr),
        now: u64,
    ) -> Self {
        Self {
            streams: Slots::default(),
            users: Users::new(username, password),
            clients: Clients::default(),
            faults,
            entropy: Entropy::new(),
            started_at: now,
            tcp,
            http,
        }
    }

    /// A number for a new connection.
    pub fn connect(&mut self, address: SocketAddr) -> u32 {
        self.clients.connect(address)
    }

    /// How many connections there are.
    pub(super) fn connections(&self) -> usize {
        self.clients.count() as usize
    }

    /// Forgets a connection: its groups share its partitions out.
    pub fn disconnect(&mut self, client: u32) {
        for joined in self.clients.disconnect(client) {
            let stream = self.streams.get_mut(joined.stream_id);
            let topic = stream.and_then(|stream| stream.topics.get_mut(joined.topic_id));
            if let Some(topic) = topic {
                topic.leave(joined.group_id, client);
            }
        }
    }

    /// Answers a request of a connection at time `now`, in microseconds since
    /// 1970.
    ///
    /// # Errors
    /// What server 0.8.0 would refuse the request with; 5 for what the stand-in
    /// does not do.
    pub fn answer(&mut self, client: u32, request: Request, now: u64) -> Result<Reply, Refusal> {
        match request {
            Request::Ping => Ok(Reply::Empty),
            Request::LoginUser(login) => {
                users::check_lengths(&login)?;
                let user = self.users.log_in(&login)?;
                Ok(self.identify(client, user))
            }
            Request::LoginWithPersonalAccessToken(login) => {
                let user = self.users.log_in_with_token(&login.token, now)?;
                Ok(self.identify(client, user))
            }
            Request::Other { .. } => Err(Refusal::invalid_command()),
            request => {
                self.clients.user(client)?;
                self.answer_user(client, request, now)
            }
        }
    }

    fn identify(&mut self, client: u32, user_id: u32) -> Reply {
        self.clients.set_user(client, Some(user_id));
        Reply::Identity(Identity { user_id })
    }

    /// Commands of those who have logged in.
    fn answer_user(&mut self, client: u32, request: Request, now: u64) -> Result<Reply, Refusal> {
        use Request as R;
        let done = |result: Result<(), Refusal>| result.map(|()| Reply::Empty);
        match request {
            R::LogoutUser => {
                self.clients.set_user(client, None);
                Ok(Reply::Empty)
            }
            R::GetPersonalAccessTokens => Ok(Reply::PersonalAccessTokens(self.users.tokens())),
            R::CreatePersonalAccessToken(r) => {
                let token = self.users.create_token(r, &mut self.entropy, now)?;
                Ok(Reply::RawPersonalAccessToken(token))
            }
            R::DeletePersonalAccessToken(r) => done(self.users.delete_token(&r.name)),
            R::GetMe => {
                let me = self.clients.details(client);
                me.map(Reply::Client)
                    .ok_or_else(|| Refusal::client_not_found(client))
            }
            R::GetClient(r) => Ok(or_empty(self.clients.details(r.client_id), Reply::Client)),
            R::GetClients => Ok(Reply::Clients(self.clients.all())),
            R::GetStats => Ok(Reply::Stats(Box::new(self.stats(now)))),
            R::GetClusterMetadata => Ok(Reply::ClusterMetadata(self.cluster())),
            R::PollMessages(r) => self.poll(client, &r, now).map(Reply::PolledMessages),
            R::SendMessages(r) => done(self.send(r, now)),
            R::FlushUnsavedBuffer(r) => done(self.flush(&r)),
            R::GetConsumerOffset(r) => Ok(or_empty(self.offset(client, &r), Reply::ConsumerOffset)),
            R::StoreConsumerOffset(r) => done(self.store_offset(client, &r, now)),
            R::DeleteConsumerOffset(r) => done(self.delete_offset(client, &r)),
            request => self.answer_topology(client, request, now),
        }
    }

    /// Commands on streams, topics, partitions and groups.
    fn answer_topology(
        &mut self,
        client: u32,
        request: Request,
        now: u64,
    ) -> Result<Reply, Refusal> {
        use Request as R;
        let done = |result: Result<(), Refusal>| result.map(|()| Reply::Empty);
        match request {
            R::GetStream(r) => Ok(or_empty(self.stream(&r.stream), Reply::Stream)),
            R::GetStreams => Ok(Reply::Streams(self.streams())),
            R::CreateStream(r) => self.create_stream(r, now).map(Reply::CreatedStream),
            R::UpdateStream(r) => done(self.update_stream(r)),
            R::DeleteStream(r) => done(self.delete_stream(&r.stream)),
            R::PurgeStream(r) => done(self.purge_stream(&r.stream)),
            R::GetTopic(r) => Ok(or_empty(self.topic(&r.stream, &r.topic), Reply::Topic)),
            R::GetTopics(r) => Ok(Reply::Topics(self.topics(&r.stream))),
            R::CreateTopic(r) => self.create_topic(r, now).map(Reply::Topic),
            R::UpdateTopic(r) => done(self.update_topic(r)),
            R::DeleteTopic(r) => done(self.delete_topic(&r.stream, &r.topic)),
            R::PurgeTopic(r) => done(self.purge_topic(&r.stream, &r.topic)),
            R::CreatePartitions(r) => done(self.create_partitions(&r, now)),
            R::DeletePartitions(r) => done(self.delete_partitions(&r)),
            R::GetConsumerGroup(r) => Ok(or_empty(self.group(&r), Reply::ConsumerGroup)),
            R::GetConsumerGroups(r) => {
                let groups = self.groups(&r.stream, &r.topic);
                Ok(Reply::ConsumerGroups(groups.unwrap_or_default()))
            }
            R::CreateConsumerGroup(r) => self.create_group(r).map(Reply::ConsumerGroup),
            R::DeleteConsumerGroup(r) => done(self.delete_group(&r)),
            R::JoinConsumerGroup(r) => done(self.join_group(client, &r, now)),
            R::LeaveConsumerGroup(r) => done(self.leave_group(client, &r)),
            _ => Err(Refusal::feature_unavailable()),
        }
    }

    /// The one node that server 0.8.0 without a cluster speaks of.
    pub(crate) fn cluster(&self) -> ClusterMetadata {
        ClusterMetadata {
            name: "single-node".to_owned(),
            nodes: vec![ClusterNode {
                name: "iggy-node".to_owned(),
                ip: self.tcp.ip().to_string(),
                tcp_port: self.tcp.port(),
                quic_port: 0,
                http_port: self.http.port(),
                websocket_port: 0,
                role: 0,
                status: 0,
            }],
        }
    }

    /// Logs in over HTTP: an access token, and until when it is good, in
    /// microseconds since 1970.
    pub(crate) fn log_in_over_http(
        &mut self,
        login: &LoginUser,
        now: u64,
    ) -> Result<(Secret, u64), Refusal> {
        self.users.log_in(login)?;
        Ok(self.users.issue_access_token(&mut self.entropy, now))
    }

    /// The same by personal access token.
    pub(crate) fn log_in_over_http_with_token(
        &mut self,
        token: &Secret,
        now: u64,
    ) -> Result<(Secret, u64), Refusal> {
        self.users.log_in_with_token(token, now)?;
        Ok(self.users.issue_access_token(&mut self.entropy, now))
    }

    /// Whether HTTP may be asked with this access token.
    pub(crate) fn is_access_token_good(&self, token: &str, now: u64) -> bool {
        self.users.is_access_token_good(token, now)
    }
}

fn or_empty<T>(found: Option<T>, reply: impl FnOnce(T) -> Reply) -> Reply {
    found.map_or(Reply::Empty, reply)
}
