import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type Candidate, chatModelContract } from '../../test/chat-model-contract.ts';
import { openProvider } from '../../test/open-provider.ts';
import type { DialectName } from '../../test/provider-dialects.ts';

const candidates: Readonly<Record<DialectName, Omit<Candidate, 'open'>>> = {
  openai: { reportsStopSequence: false, reportsCacheWrites: true, reportsCacheLifetimes: false },
  openai_compatible: { reportsStopSequence: false, reportsCacheWrites: false, reportsCacheLifetimes: false },
  anthropic: { reportsStopSequence: true, reportsCacheWrites: true, reportsCacheLifetimes: true },
  bedrock: { reportsStopSequence: true, reportsCacheWrites: true, reportsCacheLifetimes: true },
};

describe.each(Object.keys(candidates) as DialectName[])('a model of %s', (name) => {
  const { prepare, end } = chatModelContract({ ...candidates[name], open: (url) => openProvider(name, url) }, it);
  beforeAll(prepare);
  afterAll(end);
});
