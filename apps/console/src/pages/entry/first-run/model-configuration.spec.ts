import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { asFile, asVariable, type ModelChoice, PROVIDERS } from './model-configuration.ts';

const choice: ModelChoice = {
  provider: 'openai_compatible',
  region: 'us-east-1',
  baseUrl: "http://10.0.0.5:11434/v1?a='b'",
  model: 'Qwen3:32b',
  contextWindow: 32_768,
};

describe('the configuration to copy', () => {
  it.each(PROVIDERS)('keeps the built-in models and names the type of the provider: %s', (provider) => {
    const { models } = JSON.parse(asFile({ ...choice, provider })) as { models: { extends: string; providers: Record<string, object> } };
    expect(models.extends).toBe('builtin');
    expect(Object.values(models.providers)).toEqual([expect.objectContaining({ type: provider })]);
  });

  it('makes an ID for a model of your own server', () => {
    expect(JSON.parse(asFile(choice))).toMatchObject({
      models: { models: [{ id: 'qwen3-32b', provider: 'own_server', model: 'Qwen3:32b', context_window: 32_768 }] },
    });
  });

  it.each([
    ['-Org/Model.', 'org-model'],
    ['模型', 'own-model'],
  ])('makes an ID for addresses of %j', (model, id) => {
    expect(JSON.parse(asFile({ ...choice, model }))).toMatchObject({ models: { models: [{ id, model }] } });
  });

  it('quotes the variable for a shell', () => {
    const command = `${asVariable(choice)}; printf %s "$PARLANCE_MODELS"`;
    const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual((JSON.parse(asFile(choice)) as { models: object }).models);
  });
});
