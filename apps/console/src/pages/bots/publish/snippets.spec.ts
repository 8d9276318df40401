import { LANGUAGES, SNIPPETS } from './snippets.ts';

const ENDPOINT = 'https://chat.example.org/published/01ABC/api';

describe('the examples of a published bot', () => {
  it.each(LANGUAGES)('call its address with a key that is replaced: %s', (language) => {
    const code = SNIPPETS[language](ENDPOINT);
    expect(code).toContain(ENDPOINT);
    expect(code.match(/YOUR_API_KEY/g)).toHaveLength(1);
  });

  it('wait until the reply is complete, in JavaScript', async () => {
    const requests: string[] = [];
    const shown: unknown[] = [];
    const text = { content_type: 'text', body: 'Hi.' };
    const answers = [
      [202, { conversation_id: 'c', message_id: 'm' }],
      [202, {}],
      [200, { message: { content: [{ content_type: 'reasoning', body: 'Hm.' }, text] } }],
    ] as const;
    const fetch = async (url: string, { method = 'GET' } = {}) => {
      const [status, body] = answers[requests.push(`${method} ${url}`) - 1]!;
      return new Response(JSON.stringify(body), { status });
    };
    const run = new Function('fetch', 'setTimeout', 'console', `return (async () => {${SNIPPETS.javascript(ENDPOINT)}})()`);
    await run(fetch, (next: () => void) => next(), { log: (line: unknown) => shown.push(line) });
    const reply = `GET ${ENDPOINT}/conversation/c/m`;
    expect([requests, shown]).toEqual([[`POST ${ENDPOINT}/conversation`, reply, reply], ['Hi.']]);
  });

  it('wait until the reply is complete, in Python', () => {
    expect(SNIPPETS.python(ENDPOINT)).toContain('if answer.status_code == 200:\n        break\n');
  });

  it('are valid programs: the JavaScript one is parsed without an error', () => {
    const program = `(async () => {${SNIPPETS.javascript(ENDPOINT)}})`;
    expect(() => new Function(program)).not.toThrow();
  });
});
