// Rows of conversations computed from inference's log: an independent fold.
import { idOf } from '../evidence.mjs';

/** Rows of the read models, by their keys. */
export function conversationsBy(evidence) {
  const names = ['messages', 'conversations', 'owed', 'provenance', 'listed', 'costs', 'branches', 'feedback', 'deletions'];
  const rows = Object.fromEntries(names.map((name) => [name, new Map()]));
  for (const { event, commit } of evidence.events('inference').filter((each) => each.commit.stream.startsWith('conversation-'))) {
    const place = { id: idOf(commit.stream), at: commit.metadata.at, key: (id) => `${idOf(commit.stream)}/${id}` };
    changes[event.type]?.(rows, event, place);
  }
  return rows;
}

const changes = {
  ConversationStarted({ conversations, listed }, { userId: user_id, botId: bot_id, title = null, api, temporary }, { id, at }) {
    const row = { conversation_id: id, user_id, holder: ownerOf(user_id, api?.apiId), bot_id, started_at: at };
    conversations.set(id, { ...row, ...(api && { api_id: api.apiId }) });
    const list = temporary ? `/temporary/${row.holder}` : row.holder;
    listed.set(id, { ...row, list, title, last_message_id: '', last_message_at: at, model: '' });
  },
  MessageSubmitted(rows, event, place) {
    const { messageId, replyId, parentId, content, userId: user_id, model } = event;
    const { id, at, key } = place;
    const both = { conversation_id: id, user_id, model, error: null, submitted_at: at };
    const asked = { ...both, message_id: messageId, role: 'user', status: 'completed', parent: parentId, content };
    rows.messages.set(key(messageId), asked);
    rows.branches.set(key(messageId), { message_id: messageId, parent: parentId === null ? null : key(parentId), reply_id: replyId });
    replyOwed(rows, { ...event, user_id }, place);
  },
  ReplyRequested(rows, event, place) {
    const { messageId, replyId, userId: user_id } = event;
    rows.branches.set(place.key(replyId), { message_id: replyId, parent: place.key(messageId), reply_id: null });
    replyOwed(rows, { ...event, user_id }, place);
  },
  ReplyClaimed({ owed }, { replyId, leaseUntil, worker }) {
    if (owed.has(replyId))
      Object.assign(owed.get(replyId), { lease_until: leaseUntil, is_awaiting: 0 }, worker !== undefined && { worker });
  },
  ReplyCancelled({ owed }, { replyId }) {
    if (owed.has(replyId)) owed.get(replyId).is_cancelled = true;
  },
  ReplyCompleted(rows, event, place) {
    const { replyId, model, content, usage, costNanoDollars, claim, reasoning, provenance, blocked, usedChunks } = event;
    const verdict = provenance?.guardrail?.verdict ?? 'passed';
    Object.assign(
      rows.messages.get(place.key(replyId)),
      { status: 'completed', model, content, usage, cost_nano_dollars: costNanoDollars, stop_reason: event.stopReason ?? 'end_turn' },
      claim !== undefined && { claim },
      reasoning !== undefined && { reasoning },
      provenance && { took_millis: provenance.millis.total },
      verdict !== 'passed' && { guardrail: verdict },
      usedChunks && { used_chunk_bytes: usedChunks.content.length },
    );
    rows.owed.delete(replyId);
    charged(rows, event, place);
    if (!provenance) return;
    const { total: _, ...millis } = provenance.millis;
    const row = { ...provenance, millis, ...(blocked !== undefined && { blocked }) };
    if (Object.keys(row).length > 1 || Object.keys(millis).length > 0) rows.provenance.set(place.key(replyId), row);
  },
  ReplyFailed({ messages, owed }, { replyId, code, reason, content, claim }, { key }) {
    const found = { ...(content !== undefined && { content }), ...(claim !== undefined && { claim }) };
    Object.assign(messages.get(key(replyId)), { status: 'failed', error: { code, message: reason }, ...found });
    owed.delete(replyId);
  },
  TokensCharged: charged,
  ConversationTitled({ listed }, { by, title, lastMessageId }, { id }) {
    const fields = by === 'user' ? { title } : { proposal: { title, last_message_id: lastMessageId } };
    if (listed.has(id)) Object.assign(listed.get(id), fields);
  },
  FeedbackGiven({ feedback }, { replyId, thumbsUp, category, comment }, { key }) {
    feedback.set(key(replyId), { message_id: replyId, thumbs_up: thumbsUp, category, comment });
  },
  ConversationErasureBegun({ conversations, listed, deletions }, { userId: user_id, deleted, apiId }, { id, at }) {
    conversations.get(id).is_closed = true;
    listed.delete(id);
    if (deleted) deletions.set(id, { conversation_id: id, user_id, holder: ownerOf(user_id, apiId), begun_at: at });
  },
  MessagesRemoved: removed,
  ConversationErased(rows, event, place) {
    for (const each of [rows.conversations, rows.listed, rows.costs, rows.deletions]) each.delete(place.id);
    removed(rows, event, place);
  },
};

/** A user, or one published API of a user. */
const ownerOf = (userId, apiId) => (apiId === undefined ? userId : `${userId}/${apiId}`);

/** The reply to a message, or another reply. */
function replyOwed({ messages, owed, listed }, event, { id, at, key }) {
  const { messageId, replyId, user_id, model, reasoning, parameters, continues, api } = event;
  const wanted = {
    ...(continues !== undefined && { continues }),
    ...(reasoning && { wants_reasoning: true }),
    ...(parameters && { parameters }),
  };
  const its = { conversation_id: id, user_id, model, error: null, submitted_at: at, message_id: replyId, parent: messageId };
  messages.set(key(replyId), { ...its, role: 'assistant', status: 'processing', content: null, ...wanted });
  owed.set(replyId, {
    conversation_id: id,
    reply_id: replyId,
    holder: ownerOf(user_id, api?.apiId),
    model,
    lease_until: at,
    is_awaiting: 0,
  });
  if (listed.has(id)) Object.assign(listed.get(id), { last_message_id: replyId, last_message_at: at, model });
}

function charged({ costs }, { costNanoDollars }, { id }) {
  if (costNanoDollars !== 0) costs.set(id, { nano_dollars: (costs.get(id)?.nano_dollars ?? 0) + costNanoDollars });
}

function removed({ messages, owed, provenance, branches, feedback }, { messageIds = [] }, { key }) {
  for (const id of messageIds) {
    for (const each of [messages, provenance, branches, feedback]) each.delete(key(id));
    owed.delete(id);
  }
}
