import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GenerationFailed } from '@parlance/chat-models';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { MAX_IMAGES } from '../../src/domain/file-limits.ts';
import { png } from '../files.ts';
import { PublishedBot } from './published-bot.ts';

const chunk = { content: 'Water boils at 100 degrees.', source_id: 'physics', page_number: 3 };

describe('chat completions of a published bot', () => {
  const bot = new PublishedBot();
  let client: OpenAI;
  const ask = (content: string, more: object = {}) =>
    client.chat.completions.create({ model: 'local-extractive', messages: [{ role: 'user', content }], ...more });
  const streamed = (content: string, more: object = {}) =>
    client.chat.completions.create({ model: 'local-extractive', messages: [{ role: 'user', content }], ...more, stream: true });
  const refusal = (answer: Promise<unknown>) =>
    answer.then(
      () => Promise.reject(new Error('it was answered')),
      (error: InstanceType<typeof OpenAI.APIError>) => error,
    );

  beforeAll(async () => {
    await bot.start();
    client = bot.openai();
  });
  afterAll(async () => {
    await bot.stop();
    jest.restoreAllMocks();
  });

  it('are answered completely, with the tokens of the provider', async () => {
    const answering = ask('Why whole?');
    (await bot.model.call('Why whole?')).say('Because ', 'of it.').end();
    expect(await answering).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9A-Z]{26}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'local-extractive',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Because of it.', refusal: null },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, prompt_tokens_details: { cached_tokens: 0 } },
    });
  });

  it('stream each part as it is produced, and the tokens if requested', async () => {
    const stream = await streamed('Why streamed?', { stream_options: { include_usage: true } });
    const call = await bot.model.call('Why streamed?');
    const chunks = stream[Symbol.asyncIterator]();
    const next = async () => (await chunks.next()).value as OpenAI.ChatCompletionChunk;
    expect((await next()).choices[0]!.delta).toEqual({ role: 'assistant', content: '' });
    call.say('First.');
    expect((await next()).choices[0]!.delta).toEqual({ content: 'First.' });
    call.reason('Hm.').say(' Last.').end();
    const rest = [];
    for (let one = await next(); one !== undefined; one = await next()) rest.push(one);
    expect(rest.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(' Last.');
    expect(rest.map(({ choices }) => choices[0]?.finish_reason ?? null).filter((reason) => reason !== null)).toEqual(['stop']);
    expect(rest.at(-1)!.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    expect(new Set(rest.map(({ id }) => id)).size).toBe(1);
  });

  it('pass the instruction of the bot to the model first, then the texts and turns of the client', async () => {
    const answering = client.chat.completions.create({
      model: 'local-extractive',
      messages: [
        { role: 'system', content: 'Answer in French.' },
        { role: 'user', content: 'Who?' },
        { role: 'assistant', content: 'Ann.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: [{ type: 'text', text: 'And how old?' }] },
      ],
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 77,
      stop: ['END'],
      seed: 5,
      user: 'somebody',
      metadata: { any: 'thing' },
    });
    const call = await bot.model.call('And how old?');
    call.say('Old.').end();
    await answering;
    expect(call.prompt).toMatchObject({
      instruction: 'Be brief.\n\nAnswer in French.\n\nBe kind.',
      turns: [
        { role: 'user', text: 'Who?' },
        { role: 'assistant', text: 'Ann.' },
        { role: 'user', text: 'And how old?' },
      ],
      parameters: { temperature: 0.5, topP: 0.9, maxTokens: 77, stopSequences: ['END'] },
    });
  });

  it('name the sources of their markers', async () => {
    bot.bots.chunks = [chunk];
    const answering = ask('Why cited?');
    (await bot.model.call('Why cited?')).say('It boils [^1].').end();
    const { message } = (await answering).choices[0]!;
    expect(message.annotations).toEqual([
      { type: 'file_citation', file_citation: { file_id: 'physics', filename: 'physics.pdf', index: 9 } },
    ]);
    bot.bots.chunks = [];
  });

  it.each([
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['presence_penalty', { presence_penalty: 1 }],
    ['temperature', { temperature: 3 }],
    ['messages[0].role', { messages: [{ role: 'wizard', content: 'Hi' }] }],
    ['messages[0].role', { messages: [{ role: 'assistant', content: 'Hi' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: ' ' }] }],
    ['stop', { stop: ['1', '2', '3', '4', '5'] }],
    [
      'messages[0].content[0].image_url.url',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] }] },
    ],
  ])('refuse a wrong or unsupported %s by its name', async (param, more) => {
    const error = await refusal(ask('Why not?', more));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: 'invalid_body', param });
  });

  it.each([
    ['too many files', MAX_IMAGES + 1, 'invalid_file', 'messages'],
    ['images that the model does not see', 1, 'images_not_supported', 'model'],
  ])('refuse %s by the name that the client uses', async (_, images, code, param) => {
    const url = `data:image/png;base64,${png().toString('base64')}`;
    const content = Array.from({ length: images }, () => ({ type: 'image_url', image_url: { url } }));
    const error = await refusal(ask('', { messages: [{ role: 'user', content }] }));
    expect(error).toMatchObject({ status: 400, code, param });
  });

  it('accept fields that change nothing', async () => {
    const answering = ask('Why harmless?', {
      n: 1,
      tools: [],
      tool_choice: 'none',
      logprobs: false,
      response_format: { type: 'text' },
      presence_penalty: 0,
      frequency_penalty: null,
      invented: { by: 'a client' },
    });
    (await bot.model.call('Why harmless?')).say('So.').end();
    expect((await answering).choices[0]!.message.content).toBe('So.');
  });

  it('refuse a model that the bot does not have', async () => {
    const error = await refusal(ask('Which?', { model: 'gpt-9' }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model', type: 'invalid_request_error' });
  });

  it('answer as failed if the model fails, with and without a stream', async () => {
    const answering = refusal(ask('Why fail?'));
    (await bot.model.call('Why fail?')).fail(new Error('ECONNREFUSED 10.0.0.1'));
    const error = await answering;
    expect(error).toMatchObject({ status: 503, type: 'server_error', code: 'recorded_not_visible' });
    expect(error.message).toMatch(/The model returned no answer\. The failed reply \w{26} of the conversation \w{26} is recorded\./);
    expect(error.message).not.toContain('10.0.0.1');
    const stream = await streamed('Why fail late?');
    const call = (await bot.model.call('Why fail late?')).say('So');
    const read = async () => {
      for await (const _ of stream) call.fail(new Error('gone'));
    };
    expect(await refusal(read())).toMatchObject({ type: 'server_error', code: 'generation_failed' });
  });

  it.each([
    ['breaks off', 'stream_broken', 503, 'recorded_not_visible'],
    ['refuses the question', 'request_refused', 400, 'request_refused'],
  ] as const)('are asked once if the model %s, even by a client that retries', async (_, failure, status, code) => {
    const question = `Why once: ${failure}?`;
    const answering = refusal(
      client.chat.completions.create({ model: 'local-extractive', messages: [{ role: 'user', content: question }] }, { maxRetries: 2 }),
    );
    (await bot.model.call(question)).fail(new GenerationFailed(failure));
    const error = await answering;
    expect(error).toMatchObject({ status, code });
    expect(error.headers!.get('x-should-retry')).toBe('false');
    expect(bot.model.calls.filter(({ prompt }) => JSON.stringify(prompt).includes(question))).toHaveLength(1);
  });

  it('end with the reason length if the token limit is reached', async () => {
    const answering = ask('Why short?', { max_tokens: 1 });
    (await bot.model.call('Why short?')).say('So').stopAt('max_tokens');
    expect((await answering).choices[0]!.finish_reason).toBe('length');
  });

  it('list the models of the bot, the default first', async () => {
    const { data } = await client.models.list();
    expect(data[0]).toEqual({ id: 'local-extractive', object: 'model', created: 0, owned_by: 'parlance' });
    expect((await client.models.retrieve('local-extractive')).id).toBe('local-extractive');
    expect(await refusal(client.models.retrieve('gpt-9'))).toMatchObject({ status: 404, code: 'model_not_found' });
  });

  it('work with the compatible provider of the AI SDK, with and without a stream', async () => {
    const provider = createOpenAICompatible({
      name: 'parlance',
      baseURL: `${bot.endpoint}/v1`,
      apiKey: 'prl_test',
      fetch: bot.as(),
      includeUsage: true,
    });
    const model = provider.chatModel('local-extractive');
    const whole = generateText({ model, prompt: 'Why by SDK?', maxRetries: 0 });
    (await bot.model.call('Why by SDK?')).say('So.').end();
    expect(await whole).toMatchObject({ text: 'So.', finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } });
    const stream = streamText({ model, prompt: 'Why by stream?', maxRetries: 0 });
    const { text } = stream;
    (await bot.model.call('Why by stream?')).reason('Hm.').say('So', ' so.').end();
    expect(await text).toBe('So so.');
    expect(await stream.reasoningText).toBe('Hm.');
    expect(await stream.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  });
});
