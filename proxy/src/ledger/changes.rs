//! What creations, deletions, purges and descriptions tell.

use parallax_captures::{Exchange, HttpContent};
use parallax_codec::primitives::Identifier;
use parallax_codec::{Reply, Request};

use super::Ledger;
use super::fact::{Fact, How};
use super::learned::{Learned, Scope};
use super::place::{Partition, Reader, Topic};

impl Ledger {
    /// What a request that was done changed, or its reply described.
    pub(super) fn changed(
        &mut self,
        request: &Request,
        reply: Option<&Reply>,
        exchange: &Exchange,
    ) -> Vec<Learned<'static>> {
        self.learn_names(request, reply);
        let Some((scope, how)) = self.scope_of(request, reply) else {
            return Vec::new();
        };
        if how == How::SegmentsDeleted {
            if let Scope::Partition(partition) = &scope {
                let log = &mut self.logs.entry(partition).log;
                log.earliest = None;
                log.deleted = Some(Fact::new((), how, exchange));
            }
            return Vec::new();
        }
        for named in self.forget_names(request) {
            // What is seen late still goes by the name.
            self.begins_anew(named, how, exchange);
        }
        self.begins_anew(scope, how, exchange)
    }

    /// HTTP in a capture: whatever changes something there is not followed, so
    /// nothing that was known before holds.
    pub(super) fn learn_http(
        &mut self,
        content: &HttpContent,
        exchange: &Exchange,
    ) -> Vec<Learned<'static>> {
        let done = content.http_status.is_some_and(|status| status < 300);
        let asks = match &content.poll {
            Some(poll) => !poll.auto_commit,
            None => content.method == "GET" || content.target.contains("/login"),
        };
        if !done || asks {
            return Vec::new();
        }
        self.begins_anew(Scope::All, How::NotFollowed, exchange)
    }

    /// What a request made anew.
    fn scope_of(&self, request: &Request, reply: Option<&Reply>) -> Option<(Scope, How)> {
        let stream = |stream: &Identifier| Scope::Stream(self.names.stream(stream));
        let topic =
            |stream: &Identifier, topic: &Identifier| Scope::Topic(self.names.topic(stream, topic));
        Some(match (request, reply) {
            (Request::CreateStream(_), Some(Reply::CreatedStream(created))) => {
                (stream(&Identifier::Numeric(created.id)), How::Created)
            }
            (Request::CreateStream(r), _) => {
                (stream(&Identifier::Named(r.name.clone())), How::Created)
            }
            (Request::DeleteStream(r), _) => (stream(&r.stream), How::Deleted),
            (Request::PurgeStream(r), _) => (stream(&r.stream), How::Purged),
            (Request::CreateTopic(r), _) => {
                let name = Identifier::Named(r.name.clone());
                (topic(&r.stream, &name), How::Created)
            }
            (Request::CreateTopicWithOptions(r), _) => {
                let name = Identifier::Named(r.name.clone());
                (topic(&r.stream, &name), How::Created)
            }
            (Request::DeleteTopic(r), _) => (topic(&r.stream, &r.topic), How::Deleted),
            (Request::PurgeTopic(r), _) => (topic(&r.stream, &r.topic), How::Purged),
            (Request::DeletePartitions(r), _) => (topic(&r.stream, &r.topic), How::Deleted),
            (Request::DeleteSegments(r), _) => {
                let partition = Partition {
                    topic: self.names.topic(&r.stream, &r.topic),
                    id: r.partition_id,
                };
                (Scope::Partition(partition), How::SegmentsDeleted)
            }
            (Request::CreateConsumerGroup(r), _) => {
                let name = Identifier::Named(r.name.clone());
                (self.group(&r.stream, &r.topic, &name), How::Created)
            }
            (Request::DeleteConsumerGroup(r), _) => {
                (self.group(&r.stream, &r.topic, &r.group), How::Deleted)
            }
            _ => return None,
        })
    }

    fn learn_names(&mut self, request: &Request, reply: Option<&Reply>) {
        match (request, reply) {
            (_, Some(Reply::CreatedStream(stream))) => self.learn_stream(&stream.name, stream.id),
            (_, Some(Reply::Stream(details))) => {
                self.learn_stream(&details.stream.name, details.stream.id);
                let stream = Identifier::Numeric(details.stream.id);
                for topic in &details.topics {
                    self.learn_topic(&stream, &topic.name, topic.id);
                }
            }
            (_, Some(Reply::Streams(streams))) => {
                for stream in streams {
                    self.learn_stream(&stream.name, stream.id);
                }
            }
            (Request::GetTopic(r), Some(Reply::Topic(details))) => {
                let topic = &details.topic;
                self.learn_topic(&r.stream, &topic.name, topic.id);
            }
            (Request::CreateTopic(r), Some(Reply::Topic(details))) => {
                let topic = &details.topic;
                self.learn_topic(&r.stream, &topic.name, topic.id);
            }
            (Request::CreateTopicWithOptions(r), Some(Reply::Topic(details))) => {
                let topic = &details.topic;
                self.learn_topic(&r.stream, &topic.name, topic.id);
            }
            (Request::GetTopics(r), Some(Reply::Topics(topics) | Reply::CountedTopics(topics))) => {
                for topic in topics {
                    self.learn_topic(&r.stream, &topic.name, topic.id);
                }
            }
            (Request::GetConsumerGroup(r), Some(Reply::ConsumerGroup(details))) => {
                let group = &details.group;
                self.learn_group(&r.stream, &r.topic, &group.name, group.id);
            }
            (Request::CreateConsumerGroup(r), Some(Reply::ConsumerGroup(details))) => {
                let group = &details.group;
                self.learn_group(&r.stream, &r.topic, &group.name, group.id);
            }
            (Request::GetConsumerGroups(r), Some(Reply::ConsumerGroups(groups))) => {
                for group in groups {
                    self.learn_group(&r.stream, &r.topic, &group.name, group.id);
                }
            }
            _ => {}
        }
    }

    /// A name is free again once its stream, topic or group is deleted, and may
    /// be another's after a rename. Gives what went by a name until now.
    fn forget_names(&mut self, request: &Request) -> Vec<Scope> {
        match request {
            Request::DeleteStream(r) => {
                let names = self.names.forget_stream(&r.stream).into_iter();
                names.map(Identifier::Named).map(Scope::Stream).collect()
            }
            Request::DeleteTopic(r) => {
                let topic = self.names.topic(&r.stream, &r.topic);
                let names = self.names.forget_topic(&topic).into_iter();
                let named = names.map(|name| Topic {
                    stream: topic.stream.clone(),
                    topic: Identifier::Named(name),
                });
                named.map(Scope::Topic).collect()
            }
            Request::DeleteConsumerGroup(r) => {
                let topic = self.names.topic(&r.stream, &r.topic);
                let group = self.names.group(&topic, &r.group);
                let names = self.names.forget_group(&topic, &group).into_iter();
                let named = names.map(Identifier::Named);
                named
                    .map(|name| Scope::Group(topic.clone(), name))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn learn_stream(&mut self, name: &str, id: u32) {
        if !self.names.learn_stream(name, id) {
            return;
        }
        self.names.renumber_stream(name, id);
        let named = Identifier::Named(name.to_owned());
        let is_it = |scope: &Scope| *scope == Scope::Stream(named.clone());
        self.begun
            .rename(|scope| is_it(scope).then_some(Scope::Stream(Identifier::Numeric(id))));
        self.rename_topics(|topic| {
            (topic.stream == named).then(|| Topic {
                stream: Identifier::Numeric(id),
                topic: topic.topic.clone(),
            })
        });
    }

    fn learn_topic(&mut self, stream: &Identifier, name: &str, id: u32) {
        let stream = self.names.stream(stream);
        if !self.names.learn_topic(&stream, name, id) {
            return;
        }
        let named = Topic {
            stream: stream.clone(),
            topic: Identifier::Named(name.to_owned()),
        };
        let number = Topic {
            stream,
            topic: Identifier::Numeric(id),
        };
        self.names.renumber_topic(&named, &number);
        self.rename_topics(|topic| (*topic == named).then(|| number.clone()));
    }

    fn learn_group(&mut self, stream: &Identifier, topic: &Identifier, name: &str, id: u32) {
        let topic = self.names.topic(stream, topic);
        if !self.names.learn_group(&topic, name, id) {
            return;
        }
        let named = Identifier::Named(name.to_owned());
        let scope = |id: &Identifier| Scope::Group(topic.clone(), id.clone());
        let numbered = scope(&Identifier::Numeric(id));
        self.begun
            .rename(|known| (*known == scope(&named)).then(|| numbered.clone()));
        self.readers.rename(|reader| {
            let same = reader.partition.topic == topic && reader.is_group(&named);
            same.then(|| {
                let mut renamed = reader.clone();
                renamed.consumer.id = Identifier::Numeric(id);
                renamed
            })
        });
    }

    fn rename_topics(&mut self, renamed: impl Fn(&Topic) -> Option<Topic>) {
        let partition =
            |at: &Partition| renamed(&at.topic).map(|topic| Partition { topic, id: at.id });
        self.begun.rename(|scope| match scope {
            Scope::Topic(topic) => renamed(topic).map(Scope::Topic),
            Scope::Group(topic, group) => {
                renamed(topic).map(|topic| Scope::Group(topic, group.clone()))
            }
            _ => None,
        });
        self.logs.rename(partition);
        self.readers.rename(|reader| {
            partition(&reader.partition).map(|partition| Reader {
                partition,
                consumer: reader.consumer.clone(),
            })
        });
    }
}
