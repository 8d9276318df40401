import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { pdf } from '@parlance/documents/pdf';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';
import { offering } from './offering.ts';

interface ReadPage {
  readonly user_id: string;
  readonly bot_id: string;
  readonly model: string;
  readonly image: string;
  readonly text: string;
}

const ann = newId();
const base = (parsing_model: string) => ({ bedrock_knowledge_base: { parsing_model } });
const problem = (status: number, code: string, detail: string) => ({ status, code, detail, title: code, type: 'about:blank' });

describe('a bot whose pages a model reads', () => {
  let bots: BotsUnderTest;
  let knowledge: KnowledgeUnderTest;
  const read: ReadPage[] = [];
  /** Null: the model reads the page. */
  let refusal: ReturnType<typeof problem> | null = null;

  beforeAll(async () => {
    bots = await BotsUnderTest.start();
    knowledge = new KnowledgeUnderTest(bots);
    const inference = offering({ models: ['sees', 'blind'], page_models: ['sees'] });
    inference.post('/internal/pages/read', async (request, reply) => {
      const page = request.body as ReadPage;
      read.push(page);
      if (refusal) return reply.status(refusal.status).type('application/problem+json').send(JSON.stringify(refusal));
      return { text: `## Schedule\n\n${page.text === '' ? 'The scanned ferry leaves at dusk.' : page.text}` };
    });
    await bots.service.host.local.enter('inference', inference);
  });
  beforeEach(() => {
    read.length = 0;
    refusal = null;
  });
  afterAll(() => bots.stop());

  const botWith = async (content: Buffer | string, name: string, body: object) => {
    const id = newId();
    await knowledge.upload(ann, id, name, content, 'application/octet-stream');
    await bots.create(ann, { id, knowledge: { filenames: [name] }, ...body });
    return { id, run: await knowledge.settled(ann, id) };
  };

  it('finds the text that the model has read, with the page of a scanned PDF', async () => {
    const { id, run } = await botWith(pdf(['The tram leaves at noon.', '']), 'lines.pdf', base('sees'));
    expect(run.sync_status).toBe('SUCCEEDED');
    expect(read.map(({ user_id, bot_id, model, text }) => [user_id, bot_id, model, text.trim()])).toEqual([
      [ann, id, 'sees', 'The tram leaves at noon.'],
      [ann, id, 'sees', ''],
    ]);
    expect(Buffer.from(read[1]!.image, 'base64').subarray(0, 2).toString('hex')).toBe('ffd8');
    const { body } = await knowledge.search(ann, id, 'When does the scanned ferry leave?');
    expect(body.results[0]).toMatchObject({ source: 'lines.pdf', page_number: 2, heading: 'Schedule' });
  });

  it('reads other files without the model', async () => {
    const { run } = await botWith('The bus leaves at one.', 'bus.txt', base('sees'));
    expect([run.sync_status, read]).toEqual(['SUCCEEDED', []]);
  });

  it('reads its files again when the model changes, and not when it is saved unchanged', async () => {
    const { id } = await botWith(pdf(['The tram leaves at noon.']), 'tram.pdf', {});
    expect(read).toEqual([]);
    await knowledge.save(ann, id, base('sees'));
    await knowledge.settled(ann, id);
    expect(read).toHaveLength(1);
    await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
    await knowledge.settled(ann, id);
    expect(read).toHaveLength(1);
  });

  it('keeps its earlier knowledge and reports which page failed when the model does not read it', async () => {
    const { id } = await botWith(pdf(['The tram leaves at noon.']), 'tram.pdf', base('sees'));
    refusal = problem(429, 'budget_exceeded', 'The budget of this month is used up.');
    await knowledge.upload(ann, id, 'tram.pdf', pdf(['The tram leaves at three.']), 'application/pdf');
    await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
    const run = await knowledge.settled(ann, id);
    expect([run.sync_status, run.reason]).toEqual(['FAILED', expect.stringContaining('Page 1: The budget of this month is used up.')]);
    expect(await knowledge.found(ann, id, 'When does the tram leave?')).toEqual(['tram.pdf']);
  });

  it.each(['blind', 'unknown'])('is refused with a model that reads no pages: %s', async (model) => {
    const { status, body } = await bots.ask('POST', '/bot', bots.creator(ann), { title: 'Trams', ...base(model) });
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'parsing_model_not_available', 'bedrock_knowledge_base.parsing_model']);
    expect(body.detail).toContain('Models that read pages: sees.');
  });
});
