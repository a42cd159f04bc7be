//! The wire on one page, for who writes an SDK: documentation, no code.
//!
//! Every number is little-endian. Times are microseconds since 1970, durations
//! microseconds, sizes bytes. Text is UTF-8 behind its length. Nothing is padded
//! or aligned beyond what is drawn. What is called *reserved* is 0 when written,
//! and looked at when read.
//!
//! # 1. Which dialect
//!
//! | server | SDK | dialect | headers |
//! |---|---|---|---|
//! | up to 0.8 | up to 0.10 | [classic](crate::classic) | 8 bytes |
//! | from 0.9 | from 0.11 | [VSR](crate::vsr) | 256 bytes |
//!
//! The client speaks first, and its first bytes tell
//! ([`recognise`](crate::recognise::recognise)). A server that speaks the other
//! dialect does not say so well: server 0.8.0 reads a VSR login as dozens of empty
//! classic requests and answers each with status 3 in 8 bytes, while the client
//! waits for 256 (recording `skew_python-0.9.0_server-0.8.0`); a VSR server waits
//! for the rest of 256 bytes that a classic client never sends (case E3).
//!
//! # 2. Classic frames
//!
//! ```text
//! request  [length u32][code u32][body]      length = 4 + body
//! reply    [status u32][length u32][body]    status 0: success
//! ```
//! Replies come in the order of the requests and carry nothing to tell them apart.
//! A reply whose status is not 0 has no body: the number is all there is to an
//! error, and whatever a client prints in parentheses after its name is made up.
//!
//! # 3. VSR frames
//!
//! ```text
//! [header 256][body]     size u32 at 48 = 256 + body; command u8 at 60
//!
//! client                                  server
//!   | request (5)  operation 1, login  --> |
//!   | <-- reply (8)  session               |
//!   | request (5)  session, number     --> |
//!   | <-- reply (8)  status, number        |
//!   | <-- eviction (13), at any time       |
//! ```
//! Headers: [`vsr::RequestHeader`](crate::vsr::RequestHeader),
//! [`vsr::ReplyHeader`](crate::vsr::ReplyHeader),
//! [`vsr::EvictionHeader`](crate::vsr::EvictionHeader).
//!
//! 1. Choose a random `client`, other than 0.
//! 2. Log in: operation 1, session 0, request 0. The body is
//!    [`LoginRegister`](crate::commands::LoginRegister) or
//!    [`LoginRegisterWithPat`](crate::commands::LoginRegisterWithPat); which of them
//!    is told by nothing but its form. It begins with the client's protocol version,
//!    so that a server can refuse that alone: with an eviction, reason 14, which
//!    tells the versions it accepts.
//! 3. The reply is a [`Session`](crate::commands::Session). Put its number into every
//!    further header.
//! 4. What is replicated travels under its [`Operation`](crate::vsr::Operation), with
//!    `request` one above the last. Everything else is operation 2 with the
//!    command's code at byte 196 and `request` as it was: several reads share a
//!    number, so a client that sends more than one at once tells their replies apart
//!    by order.
//! 5. Of a reply, look first at the command: an eviction answers nothing. Then at the
//!    status ([`Status`](crate::vsr::Status)), which moved between versions. Then, if
//!    the operation has one ([`Operation::is_result_framed`]), at the
//!    [`ResultSection`](crate::vsr::ResultSection) that precedes the body, whose
//!    error counts as much as the status. The body follows it.
//!
//! [`Operation::is_result_framed`]: crate::vsr::Operation::is_result_framed
//!
//! | checksum | of | in |
//! |---|---|---|
//! | `checksum`, `checksum_body` | 0 between client and server | both headers |
//! | `request_checksum` | XXH3-64 of the body, in 16 bytes | requests below operation 160 but 2 |
//! | of a message | XXH3-64 of the message behind the field | messages |
//! | of a batch | see [`BatchHeader`](crate::messages::BatchHeader) | batch records |
//!
//! # 4. Commands
//!
//! [`COMMANDS`](crate::COMMANDS) lists every code with the dialects that have it, and
//! since which release, as far as is known;
//! [`Request`](crate::Request) and [`Reply`](crate::Reply) name the type of each body,
//! and each type in [`commands`](crate::commands) draws its layout. In the VSR dialect
//! streams, topics and users have [`Options`](crate::primitives::Options), stored
//! offsets an [`Ack`](crate::primitives::Ack), and a list of topics its count.
//!
//! What older servers lay out otherwise, by the tags `server-*`; bodies that are not
//! named are the same in all of them:
//!
//! | servers | body | layout |
//! |---|---|---|
//! | classic before 0.6 | 202, 302, 602 | a number chosen by the client: [`CreateStreamWithId`], [`CreateTopicWithId`], [`CreateConsumerGroupWithId`] |
//! | classic before 0.6 | 100, 120 to 122 | no flag before the partition: [`PartitionLayout`](crate::primitives::PartitionLayout) |
//! | classic before 0.7.3-edge.1 | reply to 10 | without [`Resources`](crate::commands::Resources) |
//! | VSR before 0.9.0-edge.4 | 302, 304; replies to 31 to 33, 200 to 202, 300 to 302 | that of the classic dialect: no options |
//! | VSR before 0.9.0-edge.5 | 121, 122 | no ack; with one they are operations of their own: [`Operation`](crate::vsr::Operation) |
//! | VSR before 0.9.0-edge.5 | 101, reply to 100 | messages with 64-byte headers |
//! | VSR before 0.9.0-edge.2 | headers | a namespace: [`RequestHeader`](crate::vsr::RequestHeader), [`StatusLayout`](crate::vsr::StatusLayout) |
//!
//! The bytes tell which it is, since a body must end where it ends. A body that can be
//! read in two layouts is said to be undetermined. Servers before 0.5 have most of the
//! commands but lay out messages and statistics in another way, which is not read.
//!
//! [`CreateStreamWithId`]: crate::commands::CreateStreamWithId
//! [`CreateTopicWithId`]: crate::commands::CreateTopicWithId
//! [`CreateConsumerGroupWithId`]: crate::commands::CreateConsumerGroupWithId
//!
//! A success without a body means something: [`empty_reply_meaning`].
//!
//! The first server whose table has each; 0.0.53 is the oldest that was looked at:
//! [`Versions`](crate::Versions).
//!
//! | code | command | classic | VSR |
//! |---|---|---|---|
//! | 1 | `ping` | 0.0.53 | 0.8.2-edge.1 |
//! | 10 | `get_stats` | 0.0.53 | 0.8.2-edge.1 |
//! | 11 | `get_snapshot_file` | 0.4.61 | 0.8.2-edge.1 |
//! | 12 | `get_cluster_metadata` | 0.6.0 | 0.8.2-edge.1 |
//! | 13 | `describe_options` | - | 0.9.0-edge.4 |
//! | 14 | `attach_consumer_session` | - | 0.9.0 |
//! | 20 | `get_me` | 0.0.53 | 0.8.2-edge.1 |
//! | 21 | `get_client` | 0.0.53 | 0.8.2-edge.1 |
//! | 22 | `get_clients` | 0.0.53 | 0.8.2-edge.1 |
//! | 31 | `get_user` | 0.0.53 | 0.8.2-edge.1 |
//! | 32 | `get_users` | 0.0.53 | 0.8.2-edge.1 |
//! | 33 | `create_user` | 0.0.53 | 0.8.1-edge.1 |
//! | 34 | `delete_user` | 0.0.53 | 0.8.1-edge.1 |
//! | 35 | `update_user` | 0.0.53 | 0.8.1-edge.1 |
//! | 36 | `update_permissions` | 0.0.53 | 0.8.1-edge.1 |
//! | 37 | `change_password` | 0.0.53 | 0.8.1-edge.1 |
//! | 38 | `login_user` | 0.0.53 | 0.8.2-edge.1 |
//! | 39 | `logout_user` | 0.0.53 | 0.8.2-edge.1 |
//! | 40 | `login_register` | - | 0.8.1-edge.1 |
//! | 41 | `get_personal_access_tokens` | 0.0.53 | 0.8.2-edge.1 |
//! | 42 | `create_personal_access_token` | 0.0.53 | 0.8.1-edge.1 |
//! | 43 | `delete_personal_access_token` | 0.0.53 | 0.8.1-edge.1 |
//! | 44 | `login_with_personal_access_token` | 0.0.53 | 0.8.2-edge.1 |
//! | 45 | `login_register_with_pat` | - | 0.8.1-edge.1 |
//! | 100 | `poll_messages` | 0.0.53 | 0.8.2-edge.1 |
//! | 101 | `send_messages` | 0.0.53 | 0.8.1-edge.1 |
//! | 102 | `flush_unsaved_buffer` | 0.4.22 | 0.8.2-edge.1 |
//! | 103 | `get_poll_routing` | - | 0.9.0 |
//! | 104 | `poll_messages_on_primary` | - | 0.9.0 |
//! | 120 | `get_consumer_offset` | 0.0.53 | 0.8.2-edge.1 |
//! | 121 | `store_consumer_offset` | 0.0.53 | 0.8.1-edge.1 |
//! | 122 | `delete_consumer_offset` | 0.4.110 | 0.8.1-edge.1 |
//! | 123 | `get_consumer_offset_routing` | - | 0.9.0 |
//! | 200 | `get_stream` | 0.0.53 | 0.8.2-edge.1 |
//! | 201 | `get_streams` | 0.0.53 | 0.8.2-edge.1 |
//! | 202 | `create_stream` | 0.0.53 | 0.8.1-edge.1 |
//! | 203 | `delete_stream` | 0.0.53 | 0.8.1-edge.1 |
//! | 204 | `update_stream` | 0.0.53 | 0.8.1-edge.1 |
//! | 205 | `purge_stream` | 0.1.7 | 0.8.1-edge.1 |
//! | 300 | `get_topic` | 0.0.53 | 0.8.2-edge.1 |
//! | 301 | `get_topics` | 0.0.53 | 0.8.2-edge.1 |
//! | 302 | `create_topic` | 0.0.53 | 0.8.1-edge.1 |
//! | 303 | `delete_topic` | 0.0.53 | 0.8.1-edge.1 |
//! | 304 | `update_topic` | 0.0.53 | 0.8.1-edge.1 |
//! | 305 | `purge_topic` | 0.1.6 | 0.8.1-edge.1 |
//! | 402 | `create_partitions` | 0.0.53 | 0.8.1-edge.1 |
//! | 403 | `delete_partitions` | 0.0.53 | 0.8.1-edge.1 |
//! | 503 | `delete_segments` | 0.4.300 | 0.8.1-edge.1 |
//! | 600 | `get_consumer_group` | 0.0.53 | 0.8.2-edge.1 |
//! | 601 | `get_consumer_groups` | 0.0.53 | 0.8.2-edge.1 |
//! | 602 | `create_consumer_group` | 0.0.53 | 0.8.1-edge.1 |
//! | 603 | `delete_consumer_group` | 0.0.53 | 0.8.1-edge.1 |
//! | 604 | `join_consumer_group` | 0.0.53 | 0.8.2-edge.1 |
//! | 605 | `leave_consumer_group` | 0.0.53 | 0.8.2-edge.1 |
//! | 606 | `sync_consumer_group` | - | 0.8.2-edge.1 |
//!
//! [`empty_reply_meaning`]: crate::empty_reply_meaning
//!
//! # 5. Messages
//!
//! ```text
//! poll's reply   [partition_id u32][current_offset u64][count u32][messages]
//!
//! 0.5, 0.6       [header 56][payload][user headers]    one after the other
//! 0.7, 0.8       [header 64][payload][user headers]    one after the other
//! 0.9.0-edge.5   [batch header 256] ([header 48][payload][user headers])*    again
//! ```
//! Headers: [`MessageHeader`](crate::messages::MessageHeader),
//! [`BatchHeader`](crate::messages::BatchHeader). A VSR server before 0.9.0-edge.5
//! sends the 64-byte layout (case D5). The reply does not name its layout: take the
//! one whose messages fill the body, are as many as `count`, and rise in offset
//! ([`MessageLayout`](crate::messages::MessageLayout)). In a batch record, add the
//! deltas to the bases of the record, and do not take the base offset for that of the
//! first message. Two numbers in the place of `partition_id` are none:
//! [`partition_meaning`](crate::primitives::partition_meaning).
//!
//! # 6. Where this was learned
//!
//! From the crates `iggy_binary_protocol` and `iggy_common` 0.10.0 (classic) and
//! 0.11.0 (VSR), against which every type of this crate is tested in both directions;
//! from the source of server 0.8.0; and from recordings of servers 0.8.0 and
//! 0.9.0-edge.5. Layouts of servers before 0.8.0 and of VSR ones before 0.9.0-edge.5 are
//! read from the source at their tags, and were not seen on a wire.
