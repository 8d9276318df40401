// The required and the possible content of a conversation, derived from requests and answers.

export class ConversationRecord {
  /** Every sent message: its text and its outcome: `accepted` (with the reply's ID), `refused` or `lost`. */
  messages = [];
  /** The number of sent messages, including those without an answer yet. */
  sent = 0;

  constructor(id, botId) {
    this.id = id;
    this.botId = botId;
  }

  get accepted() {
    return this.messages.filter(({ outcome }) => outcome === 'accepted');
  }

  get lost() {
    return this.messages.filter(({ outcome }) => outcome === 'lost');
  }

  /** Returns the problem of an answer, or undefined. `expected` are the statuses that fit the request. */
  answered(text, expected, status, body) {
    const { conversation_id: id, message_id: replyId, code } = body ?? {};
    const isAccepted = status === 202;
    this.messages.push({ text, outcome: isAccepted ? 'accepted' : 'refused', replyId: isAccepted ? replyId : null });
    if (!expected.includes(status))
      return `conversation ${this.id}: “${text}” answered ${status} ${code ?? ''}, not ${expected.join(' or ')}`;
    return isAccepted && id !== this.id ? `conversation ${this.id}: “${text}” was accepted into ${id}` : undefined;
  }

  sentInVain(text) {
    this.messages.push({ text, outcome: 'lost', replyId: null });
  }

  /** The problems of the conversation's commits: accepted messages must be stored, refused ones not, lost ones completely or not at all. */
  problems(commits) {
    const problems = [];
    const submitted = commits.flatMap(({ events }) => events.filter(({ event }) => event.type === 'MessageSubmitted'));
    const replies = new Set(submitted.map(({ event }) => event.replyId));
    for (const { text, replyId } of this.accepted)
      if (!replies.has(replyId)) problems.push(`conversation ${this.id}: “${text}” was accepted and is not in the log`);
    const most = this.accepted.length + this.lost.length;
    if (submitted.length > most)
      problems.push(`conversation ${this.id} holds ${submitted.length} messages, of ${most} that it may contain`);
    if (commits.length > 0 && !commits[0].events.some(({ event }) => event.type === 'MessageSubmitted'))
      problems.push(`conversation ${this.id} was begun without its message`);
    return problems;
  }
}
