//! The stand-in's state: commands in, replies out, time as a value. No sockets,
//! no clock. Behaviour is that of server 0.8.0, or of 0.9.0-edge.5 in the VSR
//! dialect, seen in their recordings and checked against them; where a source had
//! to be read, the file says so.

mod asked;
mod broken;
mod clients;
mod cluster;
mod entropy;
mod fence;
mod group;
mod groups;
mod log;
mod login;
mod messages;
mod offsets;
mod options;
mod refusal;
mod settings;
mod slots;
mod stats;
mod streams;
mod topics;
mod topology;
mod users;

use std::net::SocketAddr;

use bytes::Bytes;
use parallax_codec::{Dialect, Reply, Request};

use super::config::StandinConfig;
use super::faults::{Behaviour, Delivery, PlacedFault};
use clients::Clients;
use cluster::Cluster;
use entropy::Entropy;
use slots::Slots;
use topology::Stream;
use users::Users;

pub(crate) use asked::{Asked, Via};
pub(in crate::standin) use fence::RESYNC;
pub use log::checksum;
pub(in crate::standin) use messages::nothing_polled;
pub use refusal::Refusal;
pub(in crate::standin) use topology::Partition;

/// The state of a server.
pub struct Model {
    dialect: Dialect,
    streams: Slots<Stream>,
    users: Users,
    clients: Clients,
    cluster: Option<Cluster>,
    /// What the server does instead of what it should.
    fault: Option<Box<dyn Behaviour>>,
    entropy: Entropy,
    started_at: u64,
    tcp: SocketAddr,
    http: SocketAddr,
}

impl Model {
    /// An empty server that started at `now`, in microseconds since 1970, and
    /// advertises these addresses.
    pub fn new(config: &StandinConfig, (tcp, http): (SocketAddr, SocketAddr), now: u64) -> Self {
        Self {
            dialect: config.dialect,
            streams: Slots::default(),
            users: Users::new(config.username.clone(), config.password.clone()),
            clients: Clients::default(),
            cluster: None,
            fault: config.fault.as_ref().map(PlacedFault::behaviour),
            entropy: Entropy::new(),
            started_at: now,
            tcp,
            http,
        }
    }

    /// The dialect, and with it the server's version.
    pub(crate) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// A number for a new connection.
    pub fn connect(&mut self, address: SocketAddr) -> u32 {
        self.connect_to(0, address)
    }

    /// A number for a new connection to one of several nodes, counted from 0.
    pub(super) fn connect_to(&mut self, node: usize, address: SocketAddr) -> u32 {
        self.clients.connect(node, address)
    }

    /// How many connections there are.
    pub(super) fn connections(&self) -> usize {
        self.clients.count() as usize
    }

    /// Forgets a connection: its groups share its partitions out.
    pub fn disconnect(&mut self, client: u32) {
        self.leave_all_groups(client);
        self.clients.disconnect(client);
    }

    /// Answers a request of a connection at time `now`, in microseconds since
    /// 1970.
    ///
    /// # Errors
    /// What a real server would refuse the request with; 5 for what the stand-in
    /// does not do.
    pub fn answer(&mut self, client: u32, request: Request, now: u64) -> Result<Reply, Refusal> {
        let via = Via::Tcp(client);
        self.answer_asked(Asked { via, request, now })
    }

    /// The same for one who asks over HTTP and has logged in there.
    pub(crate) fn answer_over_http(
        &mut self,
        request: Request,
        now: u64,
    ) -> Result<Reply, Refusal> {
        let via = Via::Http;
        self.answer_asked(Asked { via, request, now })
    }

    /// The one place at which a fault comes between question and answer.
    fn answer_asked(&mut self, asked: Asked) -> Result<Reply, Refusal> {
        let Some(mut fault) = self.fault.take() else {
            return self.answer_soundly(asked);
        };
        let answer = fault.answer(self, asked);
        self.fault = Some(fault);
        answer
    }

    /// What goes on a TCP connection for the reply to the command with this code.
    pub(super) fn deliver(&mut self, code: u32, reply: Bytes) -> Delivery {
        match &mut self.fault {
            None => Delivery::of(reply),
            Some(fault) => fault.deliver(code, reply),
        }
    }

    /// What a server without a fault answers.
    pub(super) fn answer_soundly(&mut self, asked: Asked) -> Result<Reply, Refusal> {
        let Asked { via, request, now } = asked;
        match request {
            Request::Ping => Ok(Reply::Empty),
            Request::LoginUser(_)
            | Request::LoginWithPersonalAccessToken(_)
            | Request::LoginRegister(_)
            | Request::LoginRegisterWithPat(_) => self.log_in(via.client(), request, now),
            Request::Other { .. } => Err(Refusal::invalid_command()),
            request => {
                if let Via::Tcp(client) = via {
                    self.clients.user(client)?;
                    if let Some(refusal) = self.not_here(client, &request) {
                        return Err(refusal);
                    }
                }
                self.answer_user(via.client(), request, now)
            }
        }
    }

    /// Commands of those who have logged in.
    fn answer_user(&mut self, client: u32, request: Request, now: u64) -> Result<Reply, Refusal> {
        use Request as R;
        let done = |result: Result<(), Refusal>| result.map(|()| Reply::Empty);
        match request {
            R::LogoutUser => {
                self.log_out(client);
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
            R::PollMessagesOnPrimary(r) => self.poll_on_primary(client, &r, now),
            R::GetPollRouting(_) | R::GetConsumerOffsetRouting(_) => self.routing(client),
            R::AttachConsumerSession(r) => done(self.attach(client, r)),
            R::SendMessages(r) => self.send(r, now),
            R::FlushUnsavedBuffer(r) => done(self.flush(&r)),
            R::GetConsumerOffset(r) => {
                let offset = self.offset(client, &r)?;
                Ok(or_empty(offset, Reply::ConsumerOffset))
            }
            R::StoreConsumerOffset(r) => {
                let client = self.clients.acts_for(client);
                done(self.store_offset(client, &r, now))
            }
            R::DeleteConsumerOffset(r) => {
                let client = self.clients.acts_for(client);
                done(self.delete_offset(client, &r))
            }
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
            R::GetTopics(r) => {
                let topics = self.topics(&r.stream);
                Ok(match self.dialect {
                    Dialect::Classic => Reply::Topics(topics),
                    Dialect::Vsr => Reply::CountedTopics(topics),
                })
            }
            R::CreateTopic(r) => self.create_topic(r.into(), now).map(Reply::Topic),
            R::CreateTopicWithOptions(r) => self.create_topic(r.into(), now).map(Reply::Topic),
            R::UpdateTopic(r) => done(self.update_topic(r.into())),
            R::UpdateTopicWithOptions(r) => done(self.update_topic(r.into())),
            R::DeleteTopic(r) => done(self.delete_topic(&r.stream, &r.topic)),
            R::PurgeTopic(r) => done(self.purge_topic(&r.stream, &r.topic)),
            R::CreatePartitions(r) => done(self.create_partitions(&r, now)),
            R::DeletePartitions(r) => done(self.delete_partitions(&r)),
            R::GetConsumerGroup(r) => Ok(or_empty(self.group(&r)?, Reply::ConsumerGroup)),
            R::GetConsumerGroups(r) => {
                let groups = self.groups(&r.stream, &r.topic)?;
                Ok(Reply::ConsumerGroups(groups))
            }
            R::CreateConsumerGroup(r) => self.create_group(r).map(Reply::ConsumerGroup),
            R::DeleteConsumerGroup(r) => done(self.delete_group(&r)),
            R::JoinConsumerGroup(r) => done(self.join_group(client, &r, now)),
            R::LeaveConsumerGroup(r) => done(self.leave_group(client, &r)),
            R::SyncConsumerGroup(r) => {
                let assignment = self.assignment(client, &r);
                Ok(or_empty(assignment, Reply::Assignment))
            }
            _ => Err(Refusal::feature_unavailable()),
        }
    }
}

fn or_empty<T>(found: Option<T>, reply: impl FnOnce(T) -> Reply) -> Reply {
    found.map_or(Reply::Empty, reply)
}
