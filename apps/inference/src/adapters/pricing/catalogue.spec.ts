import { afterEach, describe, expect, it } from '@jest/globals';
import { type Config, loadConfig } from '@parlance/config';
import { DEFAULT_PARAMETERS } from '@parlance/chat-models';
import { Instant } from '@parlance/decider';
import type { ReadModels } from '@parlance/read-models';
import { freePort } from '@parlance/testing';
import { Catalogue } from './catalogue.ts';
import { ModelPrices } from './model-prices.ts';

const KEY = { api_key: 'k' };
const OFFLINE = 'local-extractive';

describe('the catalogue', () => {
  const opened: Catalogue[] = [];
  afterEach(() => opened.splice(0).forEach(({ providers }) => providers.close()));

  const noneSet = new ModelPrices({ getMany: async () => new Map() } as unknown as ReadModels);
  const catalogue = (models: object | null, globalAvailableModels: readonly string[] = []) => {
    const env = {
      ...(models && { PARLANCE_MODELS: JSON.stringify(models) }),
      PARLANCE_GLOBAL_AVAILABLE_MODELS: globalAvailableModels.join(','),
    };
    const made = new Catalogue(loadConfig({ argv: [], env, cwd: '/' }) as Config, noneSet);
    opened.push(made);
    return made;
  };
  const own = (id: string, more: object = {}) => ({ id, provider: 'p', model: id, ...more });
  const compatible = { type: 'openai_compatible', base_url: 'http://127.0.0.1:9/v1' };
  const withModels = (models: readonly object[], more: object = {}) => ({ providers: { p: compatible }, models, ...more });

  describe('that is built in', () => {
    it('offers only the offline model, and lists the others as unavailable', () => {
      const { list, defaultModel } = catalogue(null);
      expect(list.filter(({ available }) => available).map(({ id }) => id)).toEqual([OFFLINE]);
      expect(list.length).toBeGreaterThan(5);
      expect(defaultModel).toBe(OFFLINE);
    });
    it.each([
      ['anthropic', { type: 'anthropic', ...KEY }, 'claude-sonnet-5-5'],
      ['openai', { type: 'openai', ...KEY }, 'gpt-6.1-sol'],
      ['bedrock', { type: 'bedrock', region: 'us-east-1', ...KEY }, 'bedrock-nova-pro'],
    ])('offers the models of %s when it has credentials', (name, provider, model) => {
      const { list, defaultModel } = catalogue({ extends: 'builtin', providers: { [name]: provider } });
      expect(list.find(({ id }) => id === model)?.available).toBe(true);
      expect(defaultModel).toBe(model);
    });
    it('can be changed by an entry with the same ID', () => {
      const prices = [{ from: '2026-01-01T00:00:00Z', input: 7, output: 7 }];
      const made = catalogue({ extends: 'builtin', models: [{ id: 'gpt-6-luna', provider: 'openai', model: 'x', name: 'Ours', prices }] });
      expect(made.list.filter(({ id }) => id === 'gpt-6-luna').map(({ name }) => name)).toEqual(['Ours']);
    });
    it('has no model without a price except the offline one', () => {
      const made = catalogue(null);
      expect(made.list.map(({ id }) => id).filter((id) => made.pricesOf(id).length === 0)).toEqual([OFFLINE]);
    });
  });

  it.each([
    [[], 'text'],
    [['one', 'here'], 'text'],
    [['one'], 'provider_unavailable'],
  ])('answers with a fallback only if the bot allows it (%j)', async (active, expected) => {
    const here = { id: 'here', provider: 'l', model: 'any' };
    const providers = { p: { ...compatible, base_url: `http://127.0.0.1:${await freePort()}/v1` }, l: { type: 'local' } };
    const made = catalogue({ providers, models: [own('one', { fallbacks: ['here'] }), here] });
    const prompt = { turns: [{ role: 'user', text: 'Why?' }], instruction: '', knowledge: null, parameters: DEFAULT_PARAMETERS } as const;
    const parts: string[] = [];
    const produced = made.answering('one', 'ann', active).generate({ ...prompt, isCached: false }, new AbortController().signal, () => {});
    try {
      for await (const { type } of produced) parts.push(type);
    } catch (error) {
      parts.push((error as { code: string }).code);
    }
    expect(parts).toContain(expected);
  });

  it('uses its first model of a provider by default', () => {
    const local = { id: 'here', provider: 'l', model: 'any' };
    const providers = { p: compatible, l: { type: 'local' } };
    expect(catalogue({ providers, models: [local, own('one'), own('two')] }).defaultModel).toBe('one');
    expect(catalogue(withModels([own('one'), own('two')], { defaults: { chat: 'two' } })).defaultModel).toBe('two');
    expect(catalogue(withModels([])).defaultModel).toBeNull();
  });
  it('has a model for titles when it is available', () => {
    const providers = { p: compatible, q: { type: 'openai' } };
    const models = [own('one'), { ...own('two'), provider: 'q' }];
    const titleModel = (title: string) => catalogue({ providers, models, defaults: { title } }).titleModel;
    expect([titleModel('one'), titleModel('two'), catalogue(withModels([own('one')])).titleModel]).toEqual(['one', null, null]);
  });
  it('has models for speech: the configured one, or else the first one that can be called', () => {
    const providers = { p: compatible, q: { type: 'openai' } };
    const speaks = { capabilities: ['speech'] };
    const hears = { capabilities: ['transcription'] };
    const models = [own('none'), { ...own('shut', speaks), provider: 'q' }, own('one', speaks), own('two', speaks), own('ear', hears)];
    const speechOf = (defaults: object) => catalogue({ providers, models, defaults: { voice: 'alloy', ...defaults } });
    expect([speechOf({}).speech, speechOf({}).transcriptionModel]).toEqual([{ model: 'one', voice: 'alloy' }, 'ear']);
    expect(speechOf({ speech: 'two', voice: 'nova' }).speech).toEqual({ model: 'two', voice: 'nova' });
    expect(speechOf({ speech: 'shut' }).speech).toBeNull();
    const without = catalogue(withModels([own('one')]));
    expect([without.speech, without.transcriptionModel]).toEqual([null, null]);
  });
  it('offers no model for embeddings and other calls without a conversation', () => {
    const providers = { p: compatible, l: { type: 'local' } };
    const models = [
      own('one'),
      own('vectors'),
      own('more', { capabilities: ['embedding'] }),
      own('ranker', { capabilities: ['rerank'] }),
      own('judge', { capabilities: ['moderation'] }),
      { id: 'minilm', provider: 'l', model: 'minilm' },
    ];
    expect(catalogue({ providers, models, defaults: { embedding: 'vectors' } }).list.map(({ id }) => id)).toEqual(['one']);
  });

  describe('refuses a model', () => {
    const refusal = (made: Catalogue, id: string | undefined, bot: Parameters<Catalogue['requireModel']>[1] = null) => {
      try {
        return made.requireModel(id, bot).id;
      } catch (error) {
        return (error as { code: string; message: string }).message;
      }
    };
    const three = () => catalogue(withModels([own('one'), own('two'), own('three')]));

    it('that it does not have', () =>
      expect(refusal(three(), 'four')).toBe('The model four is not available; available: one, two, three.'));
    it('of a provider without credentials', () => expect(refusal(catalogue(null), 'gpt-6-luna')).toContain('gpt-6-luna is not available'));
    it('that globalAvailableModels leaves out', () => {
      const made = catalogue(withModels([own('one'), own('two')]), ['two']);
      expect([refusal(made, 'one'), refusal(made, undefined)]).toEqual(['The model one is not available; available: two.', 'two']);
      expect(made.list.map(({ id }) => id)).toEqual(['two']);
    });
    it('that the bot does not allow', () => {
      expect(refusal(three(), 'one', { active_models: ['two', 'three'] })).toBe('The model one is not available; available: two, three.');
      expect(refusal(three(), 'two', { active_models: ['two'] })).toBe('two');
      expect(refusal(three(), 'one', { active_models: [] })).toBe('one');
    });
    it('if none that the bot allows is available', () =>
      expect(refusal(three(), undefined, { active_models: ['gone'] })).toMatch(/is not available; available: none\./));
    it.each([
      ['two', { active_models: [], default_model: 'two' }],
      ['one', { active_models: [], default_model: 'gone' }],
      ['one', { active_models: ['two', 'one'] }],
      ['two', { active_models: ['gone', 'two'] }],
      ['one', {}],
    ])('and uses %s for the bot %j if no model is named', (id, bot) => expect(refusal(three(), undefined, bot)).toBe(id));
  });

  it('charges a model at the current price, even if it is not available', async () => {
    const prices = [
      { from: '2026-03-01T00:00:00Z', input: 4, output: 20, cache_read: 0.4, cache_write: 5 },
      { from: '2026-01-01T00:00:00Z', input: 3, output: 15 },
    ];
    const made = catalogue(withModels([own('one', { prices })]), ['other']);
    const usage = { ...USAGE, inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 200, cacheWriteTokens: 300 };
    const at = (time: string) => made.cost('one', usage, Instant.parse(time));
    expect(await at('2025-12-31T00:00:00Z')).toBe(0);
    expect(await at('2026-02-01T00:00:00Z')).toBe(1_000 * 3_000 + 100 * 15_000);
    expect(await at('2026-03-01T00:00:00Z')).toBe(500 * 4_000 + 200 * 400 + 300 * 5_000 + 100 * 20_000);
  });
});

const USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
