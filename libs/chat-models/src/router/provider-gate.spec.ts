import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { GenerationFailed } from '../providers/generation-failed.ts';
import { ProviderGate } from './provider-gate.ts';

const failure = () => new GenerationFailed('provider_unavailable');

describe('the gate of a provider that fails', () => {
  let gate: ProviderGate;
  const failing = async (tryAgainMillis: number) => {
    gate = new ProviderGate('p', { atOnce: 1, firstTokenMillis: 1_000, nextTokenMillis: 1_000 }, tryAgainMillis);
    for (let call = 0; call < 10; call++) await gate.begin(() => Promise.reject(failure())).catch(() => undefined);
  };
  afterEach(() => gate.close());

  it('refuses calls before they wait for a turn', async () => {
    await failing(60_000);
    expect(() => gate.requireOpen()).toThrow(expect.objectContaining({ code: 'provider_paused' }));
  });
  it('lets one call through after its time, even if an older answer fails meanwhile', async () => {
    await failing(50);
    await waitFor(() => gate.state === 'half_open', { what: 'the time to be over' });
    gate.brokeOff(failure());
    await new Promise(setImmediate);
    expect(gate.state).toBe('half_open');
    expect(await gate.begin(async () => 'works')).toBe('works');
    expect(gate.state).toBe('closed');
  });
  it('stays open if the user cancels the call that it lets through, and lets another one through later', async () => {
    await failing(50);
    await waitFor(() => gate.state === 'half_open', { what: 'the time to be over' });
    const trial = Promise.withResolvers<never>();
    const cancelled = gate.begin(() => trial.promise);
    await expect(gate.begin(async () => 'another')).rejects.toMatchObject({ code: 'provider_paused' });
    expect(gate.state).toBe('half_open');
    trial.reject(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(gate.state).toBe('open');
    await waitFor(() => gate.state === 'half_open', { what: 'the time to be over again' });
    expect(await gate.begin(async () => 'works')).toBe('works');
    expect(gate.state).toBe('closed');
  });
  it('closes if the provider refuses the request that it lets through', async () => {
    await failing(50);
    await waitFor(() => gate.state === 'half_open', { what: 'the time to be over' });
    await expect(gate.begin(() => Promise.reject(new GenerationFailed('request_refused')))).rejects.toThrow();
    expect(gate.state).toBe('closed');
  });
});
