import type { Ask } from '../live/ask.ts';
import { Comparisons } from './comparisons.ts';

const question: Ask = {
  conversationId: null,
  botId: 'bot',
  model: 'default',
  isReasoning: true,
  parentId: null,
  content: [{ content_type: 'text', body: 'Which one?' }],
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A chat API that answers when the test decides. */
function suppliedApi() {
  const requests: Ask[] = [];
  const answers = new Map<string, { resolve: (replyId: string) => void; reject: (error: Error) => void }>();
  const known = Promise.withResolvers<string>();
  const comparisons = new Comparisons({
    ask: (request) => {
      requests.push(request);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      answers.set(request.model!, { resolve, reject });
      return promise.then((replyId) => ({ conversationId: 'chat', replyId }));
    },
    questionOf: () => known.promise,
  });
  const isRequested = async (model: string) => {
    while (!answers.has(model)) await settled();
    return answers.get(model)!;
  };
  return { comparisons, requests, isRequested, known };
}

/** A comparison of three models whose first reply has begun. */
async function begun() {
  const api = suppliedApi();
  const beginning = api.comparisons.begin(question, ['a', 'b', 'c']);
  (await api.isRequested('a')).resolve('reply-a');
  expect(await beginning).toEqual({ conversationId: 'chat', replyId: 'reply-a' });
  return api;
}

describe('a comparison', () => {
  it('sends the question once, and requests the other replies to it when it is stored', async () => {
    const { comparisons, requests, isRequested, known } = await begun();
    expect(requests).toEqual([{ ...question, model: 'a' }]);
    known.resolve('question');
    (await isRequested('c')).resolve('reply-c');
    (await isRequested('b')).resolve('reply-b');
    await settled();
    const another = { conversationId: 'chat', botId: 'bot', isReasoning: true, parentId: 'question', content: [] };
    expect(requests.slice(1)).toEqual([
      { ...another, model: 'b' },
      { ...another, model: 'c' },
    ]);
    expect(comparisons.of('chat')).toMatchObject({
      id: 'reply-a',
      questionId: 'question',
      models: [
        { model: 'a', replyId: 'reply-a' },
        { model: 'b', replyId: 'reply-b' },
        { model: 'c', replyId: 'reply-c' },
      ],
    });
  });

  it('asks no other model after a reply was chosen', async () => {
    const { comparisons, requests, known } = await begun();
    comparisons.close('chat');
    known.resolve('question');
    await settled();
    expect(requests).toHaveLength(1);
  });

  it('does not begin if the question is refused', async () => {
    const { comparisons, requests, isRequested } = suppliedApi();
    const beginning = comparisons.begin(question, ['a', 'b']);
    (await isRequested('a')).reject(new Error('The budget is used up.'));
    await expect(beginning).rejects.toThrow('The budget is used up.');
    expect(comparisons.of('chat')).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  it('keeps why a reply was refused while the others go on, and requests it again', async () => {
    const { comparisons, isRequested, known } = await begun();
    known.resolve('question');
    const refusal = new Error('This model cannot see images.');
    (await isRequested('b')).reject(refusal);
    (await isRequested('c')).resolve('reply-c');
    await settled();
    expect(comparisons.of('chat')?.models).toEqual([
      { model: 'a', replyId: 'reply-a', error: null },
      { model: 'b', replyId: null, error: refusal },
      { model: 'c', replyId: 'reply-c', error: null },
    ]);
    const again = comparisons.again('chat', 'b');
    expect(comparisons.of('chat')?.models[1]).toEqual({ model: 'b', replyId: null, error: null });
    (await isRequested('b')).resolve('later-reply-b');
    await again;
    expect(comparisons.of('chat')?.models[1]).toEqual({ model: 'b', replyId: 'later-reply-b', error: null });
  });

  it('requests a failed reply once, however often that is repeated while it is being requested', async () => {
    const { comparisons, requests, isRequested, known } = await begun();
    await comparisons.again('chat', 'b');
    known.resolve('question');
    (await isRequested('b')).reject(new Error('This model cannot see images.'));
    await settled();
    const before = requests.length;
    void comparisons.again('chat', 'b');
    void comparisons.again('chat', 'b');
    await settled();
    expect(requests.slice(before).map(({ model }) => model)).toEqual(['b']);
  });

  it('that is closed or replaced is not changed by replies that begin later', async () => {
    const { comparisons, isRequested, known } = await begun();
    known.resolve('question');
    const late = await isRequested('b');
    comparisons.close('chat');
    const next = comparisons.begin({ ...question, conversationId: 'chat' }, ['d', 'b']);
    (await isRequested('d')).resolve('reply-d');
    await next;
    late.resolve('reply-b');
    await settled();
    expect(comparisons.of('chat')).toMatchObject({ id: 'reply-d', models: [{ replyId: 'reply-d' }, { replyId: null }] });
  });

  it('is forgotten when the session ends', async () => {
    const { comparisons } = await begun();
    let changes = 0;
    comparisons.subscribe(() => (changes += 1));
    comparisons.clear();
    expect([comparisons.of('chat'), changes]).toEqual([undefined, 1]);
  });
});

it('keeps only the newest open comparisons', async () => {
  const comparisons = new Comparisons({
    ask: ({ conversationId }) => Promise.resolve({ conversationId: conversationId!, replyId: `reply of ${conversationId}` }),
    questionOf: () => Promise.resolve('question'),
  });
  for (let chat = 0; chat <= 20; chat++) await comparisons.begin({ ...question, conversationId: `${chat}` }, ['a', 'b']);
  await settled();
  expect([comparisons.of('0'), comparisons.of('1')?.id, comparisons.of('20')?.id]).toEqual([undefined, 'reply of 1', 'reply of 20']);
});
