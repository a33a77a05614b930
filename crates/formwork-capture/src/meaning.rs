//! The messages of a conversation: held back until their meaning is known, then read.

use std::collections::VecDeque;

use formwork_variant::ErrorKind;
use formwork_variant::dialect::Dialect;

use super::evidence::Set;
use super::file::Time;
use super::found::{Conversation, Found, Framing, Other};
use super::multiplayer::Content;
use super::wrapping::Wrapping;
use super::{Context, Limits};
use crate::rule;

/// A message that may be a value or have values in it: a datagram, a packet in a frame or of ENet.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) time: Option<Time>,
    /// The number of the end that sent it: 0 or 1.
    pub(super) from: usize,
    /// The offset in its carrier.
    pub(super) offset: u64,
    pub(super) framing: Framing,
    /// The channel of ENet.
    pub(super) channel: u8,
    pub(super) bytes: Vec<u8>,
}

/// The meaning of the messages in a conversation.
#[derive(Debug)]
pub(super) struct Meaning {
    state: State,
    waiting: Vec<Message>,
    held: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Not known yet.
    Open,
    Known(Wrapping, Dialect),
    /// They are not values.
    Refused,
}

/// The evidence for a wrapping.
struct Case {
    wrapping: Wrapping,
    /// The dialects in which each message has values.
    sets: Vec<Set>,
    with_values: usize,
    /// The number of messages that are known to have no values.
    without: usize,
    strong: bool,
    /// Whether a single message is enough evidence.
    certain: bool,
}

impl Meaning {
    /// Makes the meaning of an unknown conversation.
    pub(super) const fn new() -> Self {
        Self { state: State::Open, waiting: Vec::new(), held: 0 }
    }

    /// Returns the bytes of messages that are held back.
    pub(super) const fn held(&self) -> usize {
        self.held
    }

    /// Takes a message, without the bytes that a game puts before its values.
    pub(super) fn push(
        &mut self,
        mut message: Message,
        context: &Context,
        conversation: &mut Conversation,
        out: &mut VecDeque<Found>,
    ) {
        if message.bytes.len() < context.skip {
            conversation.without += 1;
            return;
        }
        message.bytes.drain(..context.skip);
        message.offset += context.skip as u64;
        self.take(message, context, conversation, out);
    }

    fn take(
        &mut self,
        message: Message,
        context: &Context,
        conversation: &mut Conversation,
        out: &mut VecDeque<Found>,
    ) {
        match self.state {
            State::Open => {
                self.held += message.bytes.len();
                self.waiting.push(message);
                /// If the dialect is given, it is only determined whether there are values at all.
                const SAID: usize = 16;
                let Limits { mut evidence_messages, evidence_bytes, .. } = context.limits;
                if context.dialects.is_said() {
                    evidence_messages = evidence_messages.min(SAID);
                }
                if self.waiting.len() >= evidence_messages || self.held >= evidence_bytes {
                    self.settle(context, conversation, out);
                }
            }
            State::Known(wrapping, dialect) => {
                interpret(message, wrapping, dialect, context, conversation, out);
            }
            State::Refused => conversation.without += 1,
        }
    }

    /// Decides the meaning of the messages by those so far.
    pub(super) fn settle(
        &mut self,
        context: &Context,
        conversation: &mut Conversation,
        out: &mut VecDeque<Found>,
    ) {
        let messages = std::mem::take(&mut self.waiting);
        self.held = 0;
        let Some(first) = messages.first() else { return };
        let wrappings = match first.framing {
            Framing::ENet => Wrapping::OF_ENET,
            Framing::Bare => &[Wrapping::Datagram],
            _ => &[Wrapping::None],
        };
        let cases = wrappings.iter().map(|&wrapping| Case::of(wrapping, &messages, context));
        // If several cases are equally good, the first is the likeliest.
        let best = cases.reduce(|best, case| if case.worth() > best.worth() { case } else { best });
        let is_whole =
            |case: &Case| case.strong && case.with_values + case.without == messages.len();
        if context.skip == 0 && !best.as_ref().is_some_and(is_whole) {
            conversation.behind = bytes_before_values(&messages, context);
        }
        // If dialect and framing are given, nothing is guessed.
        let said = context.dialects.said().filter(|_| context.framing.is_some());
        let told = said.and_then(|dialect| {
            let of_best = best.as_ref().filter(|case| case.with_values > 0);
            let wrapping = of_best.map(|case| case.wrapping);
            let first = || wrappings.iter().copied().find(|it| it.is_of(dialect));
            Some((wrapping.or_else(first)?, dialect, Vec::new()))
        });
        // What is before the values would be read as values, too.
        let is_behind = conversation.behind.is_some();
        let enough = best.as_ref().filter(|case| case.is_enough(messages.len()) && !is_behind);
        let guessed = || {
            let case = enough?;
            let first = context.dialects.most(case.sets.iter().copied())?;
            let contents: Vec<(Content, &Message)> = messages
                .iter()
                .filter_map(|message| {
                    let content =
                        case.wrapping.content(&context.dialects, first, &message.bytes, true);
                    Some((content.ok()?, message))
                })
                .collect();
            let packets = contents.iter().flat_map(|(content, message)| {
                content.pieces.iter().map(|piece| piece.packet(&message.bytes))
            });
            let (dialect, or) = context.dialects.settle(first, case.wrapping, packets);
            Some((case.wrapping, dialect, or))
        };
        match told.or_else(guessed) {
            Some((wrapping, dialect, or)) => {
                conversation.dialect = Some(dialect);
                conversation.or = or;
                self.state = State::Known(wrapping, dialect);
            }
            None => {
                if best.is_some_and(|case| case.with_values > 0) {
                    conversation.other = Some(Other::Doubtful);
                }
                self.state = State::Refused;
            }
        }
        for message in messages {
            self.take(message, context, conversation, out);
        }
    }
}

/// Returns how many bytes are before a value in every message, if that is so: what a game puts there itself, such as the
/// kind of a message or a counter.
fn bytes_before_values(messages: &[Message], context: &Context) -> Option<usize> {
    /// The most bytes that are tried.
    const MOST: usize = 16;
    /// The number of messages that are no chance.
    const FEWEST: usize = 3;
    let (first, others) = messages.split_first()?;
    if messages.len() < FEWEST {
        return None;
    }
    let is_value = |message: &Message, at: usize| {
        message.bytes.get(at..).is_some_and(|bytes| context.dialects.reads_one(bytes))
    };
    let fits = |&at: &usize| is_value(first, at) && others.iter().all(|it| is_value(it, at));
    let says_much = |&at: &usize| {
        let has_much = |message: &Message| {
            message.bytes.get(at..).is_some_and(|bytes| context.dialects.reads_much(bytes))
        };
        2 * messages.iter().filter(|it| has_much(it)).count() >= messages.len()
    };
    (1..=MOST).filter(fits).find(says_much)
}

impl Case {
    fn of(wrapping: Wrapping, messages: &[Message], context: &Context) -> Self {
        let dialects = &context.dialects;
        let mut case = Self {
            wrapping,
            sets: Vec::new(),
            with_values: 0,
            without: 0,
            strong: false,
            certain: false,
        };
        for message in messages {
            if wrapping.is_notice(message.channel, &message.bytes) {
                case.without += 1;
                continue;
            }
            let empty = std::cell::Cell::new(false);
            let strong = std::cell::Cell::new(false);
            let certain = std::cell::Cell::new(case.certain);
            let set = dialects.those(|dialect| {
                let content = wrapping.content(dialects, dialect, &message.bytes, true);
                content.is_ok_and(|content| {
                    let has_values = !content.pieces.is_empty();
                    empty.set(empty.get() || !has_values);
                    let is_strong = has_values && !content.weak;
                    strong.set(strong.get() || is_strong);
                    let is_certain = || {
                        let mut packets = content.pieces.iter().map(|it| it.packet(&message.bytes));
                        packets.any(|packet| dialects.holds_many(dialect, packet))
                    };
                    certain.set(certain.get() || is_strong && is_certain());
                    has_values
                })
            });
            case.with_values += usize::from(!set.is_empty());
            case.without += usize::from(set.is_empty() && empty.get());
            case.strong |= strong.get();
            case.certain |= certain.get();
            case.sets.push(set);
        }
        case
    }

    fn worth(&self) -> (bool, usize, usize) {
        (self.strong, self.with_values, self.without)
    }

    /// Whether the evidence is enough: one message has many values in it, or at least half of the messages have values,
    /// not counting those that are known to have none.
    fn is_enough(&self, messages: usize) -> bool {
        let unknown = messages.saturating_sub(self.without);
        self.certain || self.strong && 2 * self.with_values >= unknown
    }
}

/// Reads the values of a message.
fn interpret(
    message: Message,
    wrapping: Wrapping,
    dialect: Dialect,
    context: &Context,
    conversation: &mut Conversation,
    out: &mut VecDeque<Found>,
) {
    let content = match wrapping.content(&context.dialects, dialect, &message.bytes, false) {
        _ if wrapping.is_notice(message.channel, &message.bytes) => {
            conversation.without += 1;
            return;
        }
        Ok(content) => content,
        // If no value starts here, there is none that could be broken. A frame must have one.
        Err(error)
            if message.framing == Framing::Bare && error.offset() == 0
                || message.framing == Framing::WebSocket && error.offset() == 0
                || error.rule() == rule::PACKET =>
        {
            conversation.without += 1;
            return;
        }
        Err(error) => {
            // A packet that is complete will not become longer.
            let error = match error.kind() {
                ErrorKind::Incomplete { .. } => error.closed(),
                _ => error,
            };
            conversation.fault(error.shifted(message.offset));
            return;
        }
    };
    if content.pieces.is_empty() {
        conversation.without += 1;
    }
    conversation.framing = Some(message.framing);
    for piece in content.pieces {
        conversation.values += 1;
        out.push_back(Found {
            time: message.time,
            transport: conversation.transport,
            source: conversation.ends[message.from % 2],
            destination: conversation.ends[(message.from + 1) % 2],
            offset: message.offset + piece.offset as u64,
            framing: message.framing,
            dialect,
            size: piece.size as u64,
            packet: piece.packet(&message.bytes).to_vec(),
            place: piece.place,
            limits: context.value_limits,
        });
    }
}
