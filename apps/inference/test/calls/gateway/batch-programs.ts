import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import OpenAI, { toFile } from 'openai';
import { RunningBatches } from '../../../src/workflows/gateway/running-batches.ts';
import type { CallsWorld } from '../calls-world.ts';
import { openAiOf } from './stored-files.ts';
import { TokensOfBatches } from './tokens-of-batches.ts';

/** The longest pause before a batch is taken up again. */
const LONGEST_PAUSE = 600_000;

/** What the provider answers. */
export const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};

/** A line of the file of a batch. */
export const lineOf = (custom_id: string, content = custom_id, model = 'gpt') =>
  JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content }] } });

/** Programs that send batches with the client of OpenAI, each with its own token. */
export class BatchPrograms {
  readonly tokens = new TokensOfBatches();

  private constructor(private readonly world: CallsWorld) {}

  static async enter(world: CallsWorld): Promise<BatchPrograms> {
    const programs = new BatchPrograms(world);
    await programs.tokens.enter(world.service);
    return programs;
  }

  add(terms: object = {}) {
    const [tokenId, userId] = [newId(), newId()];
    this.tokens.add(tokenId, userId, terms);
    const headers = this.world.service.asModelsToken(tokenId, userId, terms);
    return { tokenId, userId, headers, openai: openAiOf(this.world, headers) };
  }

  /** The time of the next try has come. */
  async tryAgain(): Promise<void> {
    this.world.service.later(LONGEST_PAUSE);
    await this.world.service.part(RunningBatches).takeWaiting();
  }

  /** The keys of stored results that are not in a file yet. */
  async results(batchId: string): Promise<string[]> {
    const all = await (await this.world.service.host.objects.store()).list('gateway-batches/', { limit: 1_000 });
    return all.map(({ key }) => key).filter((key) => key.includes(batchId.slice('batch_'.length)));
  }
}

export const upload = async (openai: OpenAI, lines: readonly string[]) =>
  openai.files.create({ file: await toFile(Buffer.from(`${lines.join('\n')}\n`), 'requests.jsonl'), purpose: 'batch' });

export async function begin(openai: OpenAI, lines: readonly string[], more: object = {}) {
  const { id } = await upload(openai, lines);
  return openai.batches.create({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h', ...more });
}

/** The batch, when it has this status. */
export async function until(openai: OpenAI, id: string, status: string) {
  await waitFor(async () => (await openai.batches.retrieve(id)).status === status, { what: `the batch to be ${status}` });
  return openai.batches.retrieve(id);
}

/** The lines of a file of answers or errors. */
export async function linesOf(openai: OpenAI, id: string | null | undefined) {
  const text = await (await openai.files.content(id!)).text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
