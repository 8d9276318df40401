// I8: every accepted message gets its reply, once.

export function everyMessageEnds({ ledger, evidence }) {
  const ends = new Map();
  for (const { event } of evidence.events('inference')) {
    if (event.type !== 'ReplyCompleted' && event.type !== 'ReplyFailed') continue;
    ends.set(event.replyId, [...(ends.get(event.replyId) ?? []), event]);
  }
  const problems = [];
  for (const { id, accepted } of ledger.conversations.values()) {
    for (const { text, replyId } of accepted) {
      const [end, ...more] = ends.get(replyId) ?? [];
      if (!end) problems.push(`conversation ${id}: “${text}” has no reply`);
      // The offline model has no reason to fail.
      else if (end.type === 'ReplyFailed') problems.push(`conversation ${id}: the reply to “${text}” failed: ${end.code}: ${end.reason}`);
      if (more.length > 0) problems.push(`conversation ${id}: “${text}” has ${more.length + 1} ends`);
    }
  }
  return problems;
}
