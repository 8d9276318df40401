import { describe, expect, it } from '@jest/globals';
import { type Chunk, DEFAULT_PARAMETERS, type Knowledge, type Prompt, type Turn } from '../chat-model.ts';
import { LocalExtractive } from './local-extractive.ts';

/** The combined output of the model. */
async function generated(prompt: Pick<Prompt, 'turns' | 'instruction' | 'knowledge'>, signal = new AbortController().signal) {
  let text = '';
  const model = new LocalExtractive();
  for await (const part of model.generate({ ...prompt, parameters: DEFAULT_PARAMETERS, isCached: false }, signal)) {
    if (part.type === 'end') return { text, usage: part.usage };
    if (part.type === 'text') text += part.text;
  }
  throw new Error('the model has not ended');
}

describe('the offline model', () => {
  const generate = (turns: readonly Turn[], signal?: AbortSignal) => generated({ turns, instruction: '', knowledge: null }, signal);
  it('says that it is the offline model', async () =>
    expect((await generate([{ role: 'user', text: 'Who are you?' }])).text).toMatch(/offline model/));
  it('gives the same answer to the same question', async () => {
    const turns = [{ role: 'user', text: 'Why?' }] as const;
    expect(await generate(turns)).toEqual(await generate(turns));
  });
  it('continues a partial answer, and adds nothing to a complete one', async () => {
    const question = { role: 'user', text: 'Why?' } as const;
    const { text } = await generate([question]);
    const after = async (begun: string) => (await generate([question, { role: 'assistant', text: begun }])).text;
    expect([await after(text.slice(0, 9)), await after(text), await after('Other')]).toEqual([text.slice(9), '', text]);
  });
  it('quotes the files that the user has attached', async () => {
    const file = {
      mediaType: 'text/plain',
      name: 'terms.txt',
      bytes: new Uint8Array(),
      text: 'Dogs are welcome. A refund takes fourteen days.',
    };
    const turns = [
      { role: 'user', text: 'See.', files: [file] },
      { role: 'user', text: 'How long does a refund take?' },
    ] as const;
    expect((await generate(turns)).text).toMatch(/> A refund takes fourteen days\.$/);
  });
  it('counts the tokens of the whole prompt', async () => {
    const short = await generate([{ role: 'user', text: 'hello world' }]);
    const long = await generate([
      { role: 'user', text: 'hello world' },
      { role: 'assistant', text: 'hello world' },
    ]);
    expect(short.usage.inputTokens).toBe(2);
    expect(long.usage.inputTokens).toBe(4);
  });
  it('estimates the tokens of a long text, and marks them as estimated', async () => {
    const { usage } = await generate([{ role: 'user', text: 'hello world '.repeat(20_000) }]);
    expect(usage.estimated).toBe(true);
    expect(Math.abs(usage.inputTokens / 40_000 - 1)).toBeLessThan(0.05);
  });
  it('stops when its signal is aborted', async () => {
    await expect(generate([{ role: 'user', text: 'hello' }], AbortSignal.abort())).rejects.toThrow();
  });
});

const chunkOf = (rank: number, content: string, more: Partial<Chunk> = {}): Chunk => ({
  content,
  content_type: 'text',
  source: `file-${rank}.pdf`,
  source_name: `file-${rank}.pdf`,
  source_id: `s${rank}`,
  page_number: rank + 10,
  heading: null,
  rank,
  score: 1 / rank,
  ...more,
});

/** The longest turn of the event loop during some work, in milliseconds of CPU time of this thread, so that a busy machine does not lengthen it. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const computed = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const seen = { longest: 0, isOver: false };
  let previous = computed();
  const measure = () => {
    const now = computed();
    seen.longest = Math.max(seen.longest, now - previous);
    previous = now;
  };
  const turn = () => {
    measure();
    if (!seen.isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  measure();
  seen.isOver = true;
  return seen.longest;
}

describe('the offline model with the knowledge of a bot', () => {
  const ask = (text: string, chunks: readonly Chunk[], more: Partial<Knowledge> = {}, instruction = '') => {
    const knowledge = { chunks, showsSources: true, ...more };
    return generated({ turns: [{ role: 'user', text }], instruction, knowledge });
  };
  const chunks = [
    chunkOf(1, 'The office opens at nine. Dogs are welcome on Fridays.'),
    chunkOf(2, 'Travel is booked by the assistant.\nA refund takes fourteen days after the return.[^7] Ask the desk.'),
  ];

  it('quotes the sentence that matches best, with the rank, the document and the page', async () => {
    const { text } = await ask('How long do refunds take?', chunks);
    expect(text).toMatch(/offline model/);
    expect(text).toContain('> A refund takes fourteen days after the return. [^2]\n\nQuoted from: file-2.pdf (page 12).');
    expect(text).not.toMatch(/Dogs|\[\^7\]/);
  });
  it.each(['Hello', 'Hello Parlance', 'hi there!', 'Hey, guide'])(
    'quotes nothing for the greeting %j, and asks for a question',
    async (greeting) => {
      const { text } = await ask(greeting, [chunkOf(1, 'Parlance says hello there. A guide helps.')]);
      expect(text).toMatch(/offline model\..* Ask a question about it\.$/);
      expect(text).not.toContain('>');
    },
  );
  it('quotes for a question that begins with a greeting', async () =>
    expect((await ask('Hello, are dogs welcome?', chunks)).text).toContain('> Dogs are welcome on Fridays. [^1]'));
  it('is not misled by words such as "how" and "do", although they are rare in the text', async () => {
    const texts = ['It shows how far it is. They do not know it.', 'A budget is set by an administrator. A budget ends.'];
    const { text } = await ask(
      'How do I set a budget?',
      texts.map((content, index) => chunkOf(index + 1, content)),
    );
    expect(text).toMatch(/^[^>]*> A budget is set by an administrator\./);
    expect(text).not.toMatch(/They do not|shows how/);
  });
  it('gives the same answer to the same question', async () =>
    expect(await ask('dogs refund', chunks)).toEqual(await ask('dogs refund', chunks)));
  it('names a document once, with all quoted pages', async () => {
    const same = { source_id: 's', source_name: 'book.pdf' };
    const pages = [
      chunkOf(1, 'Tea is hot.', same),
      chunkOf(2, 'Green tea is mild.', same),
      chunkOf(3, 'Tea leaves.', { ...same, page_number: null }),
    ];
    expect((await ask('tea', pages)).text).toContain('Quoted from: book.pdf (pages 11, 12).');
  });
  it('quotes a sentence of overlapping chunks once', async () => {
    const { text } = await ask('tea', [chunkOf(1, 'Tea is hot. Milk is cold.'), chunkOf(2, 'Tea is hot. Sugar is sweet.')]);
    expect(text.split('Tea is hot.').length).toBe(2);
  });
  it('quotes sentences instead of headings that repeat the question, unless only a heading matches', async () => {
    const page = '# How to make green tea\n\nGreen tea takes three minutes.\n\n## Coffee';
    const { text } = await ask('How to make green tea?', [chunkOf(1, page)]);
    expect(text).toContain('> Green tea takes three minutes. [^1]');
    expect(text).not.toContain('> #');
    expect((await ask('coffee', [chunkOf(1, page)])).text).toContain('> ## Coffee [^1]');
  });
  it('quotes without markers and documents if the bot does not show its sources', async () => {
    const { text } = await ask('How long do refunds take?', chunks, { showsSources: false });
    expect(text).toContain('> A refund takes fourteen days after the return.');
    expect(text).not.toMatch(/\[\^|file-2/);
  });
  it('says that nothing was found', async () => expect((await ask('Why?', [])).text).toMatch(/found nothing/));
  it('quotes the beginning of the closest text if no word matches, and says so', async () => {
    const { text } = await ask('Hunde?', [chunkOf(1, 'Dogs are welcome. Cats too.')]);
    expect(text).toMatch(/No sentence .* has a word of the question/);
    expect(text).toContain('> Dogs are welcome. [^1]');
  });
  it('says that nothing was found if the closest text has no words', async () =>
    expect((await ask('Hunde?', [chunkOf(1, '--- ---')])).text).toMatch(/found nothing/));
  it('counts the tokens of the chunks and of the instruction', async () => {
    const { usage } = await ask('hello', [chunkOf(1, 'hello world'), chunkOf(2, 'hello world')], {}, 'hello world');
    expect(usage.inputTokens).toBe(7);
  });
  it.each([
    ['sentences', 'Some words stand here, and more of them follow. '],
    ['one run of spaces', ' '],
    ['one run of lines', ' \n'],
    ['one word', 'x'],
    ['signs', '. '],
    ['characters of Han', '漢字'],
  ])('yields to other work while it reads 256 KiB of %s', async (_, text) => {
    const large = [chunkOf(1, text.repeat(Math.floor((256 * 1024) / text.length)))];
    await ask('warm up the tokenizer', chunks);
    let least = Infinity;
    // Garbage collection and code that is not yet compiled slow down some tries.
    for (let tries = 0; tries < 8 && least > 20; tries++)
      least = Math.min(least, await longestTurn(() => ask('Which words follow?', large)));
    expect(least).toBeLessThanOrEqual(20);
  });
});
