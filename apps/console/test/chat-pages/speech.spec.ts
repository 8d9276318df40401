import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld, composerOf, textIn } from '../chat-world.ts';
import { expectAccessible, PHONE } from '../console-world.ts';

describe('speech in a chat', () => {
  let world: ChatWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    ({ page, reported } = await world.openSignedIn());
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Errors stay until they are closed. */
  const closeError = async (text: string) => {
    await page.getByText(text).waitFor();
    await button('Close').click();
    await page.getByText(text).waitFor({ state: 'detached' });
  };
  const recording = () => page.getByRole('status').filter({ hasText: 'Recording' });

  it('is written down where the cursor is', async () => {
    world.provider.hear(' at the harbour ');
    await composerOf(page).fill('We meet.');
    await composerOf(page).evaluate((field) => (field as HTMLTextAreaElement).setSelectionRange(7, 7));
    await button('Dictate').click();
    await recording().waitFor();
    await expectAccessible(page);
    await waitFor(async () => button('Stop and transcribe').evaluate((its) => its === document.activeElement));
    await button('Stop and transcribe').click();
    await waitFor(async () => (await composerOf(page).inputValue()) === 'We meet at the harbour.');
    await button('Dictate').waitFor();
    const { calls } = await world.parlance.api.get('/user/me/calls');
    expect(calls).toMatchObject([{ endpoint: 'audio/transcriptions', model: 'ear', status: 'completed' }]);
  });
  it('fits a phone while it is recorded', async () => {
    const { page: phone } = await world.openSignedIn(PHONE);
    await phone.getByRole('button', { name: 'Dictate', exact: true }).click();
    await phone.getByRole('status').filter({ hasText: 'Recording' }).waitFor();
    const rights = await phone
      .getByRole('form')
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().right));
    expect(Math.max(...rights)).toBeLessThanOrEqual(375);
    expect((await phone.getByRole('form').boundingBox())!.height).toBeLessThan(130);
    await phone.context().close();
  });
  it('may be discarded, and nothing is sent', async () => {
    await button('Dictate').click();
    await button('Discard the recording').click();
    await button('Dictate').waitFor();
    expect(await composerOf(page).evaluate((its) => its === document.activeElement)).toBe(true);
    expect((await world.parlance.api.get('/user/me/calls')).calls).toHaveLength(1);
  });
  it('records once, however often the button is pressed while the browser asks', async () => {
    await page.evaluate(() => {
      const { mediaDevices } = navigator;
      const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
      const streams: MediaStream[] = [];
      const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
      Object.assign(globalThis, { streams, allow, restore: () => (mediaDevices.getUserMedia = getUserMedia) });
      mediaDevices.getUserMedia = async (wanted) => {
        await allowed;
        const stream = await getUserMedia(wanted);
        streams.push(stream);
        return stream;
      };
    });
    await button('Dictate').click();
    await button('Dictate').click();
    await page.evaluate(() => (globalThis as unknown as { allow: () => void }).allow());
    await recording().waitFor();
    await button('Discard the recording').click();
    await button('Dictate').waitFor();
    const states = await page.evaluate(() => {
      const { streams, restore } = globalThis as unknown as { streams: MediaStream[]; restore: () => void };
      restore();
      return streams.map((stream) => stream.getTracks().map(({ readyState }) => readyState));
    });
    expect(states).toEqual([['ended']]);
  });
  it('says what to do if no words were recognized', async () => {
    world.provider.hear('');
    await button('Dictate').click();
    await recording().waitFor();
    await button('Stop and transcribe').click();
    await closeError('No words were recognized. Try again.');
    expect(await composerOf(page).inputValue()).toBe('We meet at the harbour.');
  });
  it('says what to do if the microphone is not allowed', async () => {
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('Permission denied', 'NotAllowedError');
      };
    });
    await button('Dictate').click();
    await closeError('The microphone cannot be used.');
  });

  it('reads a reply aloud, a piece after the other, without its code', async () => {
    const sentence = 'The harbour closes at nine in the evening. ';
    world.provider.finish(`${sentence.repeat(10)}\n\n\`\`\`js\nhidden()\n\`\`\`\n`);
    await ask(page, 'When does it close?');
    await textIn(page, 'hidden()').waitFor();
    await button('Read aloud').click();
    await waitFor(() => world.provider.spoken.length === 2, { what: 'the second piece' });
    await button('Read aloud').waitFor();
    expect(world.provider.spoken.join(' ')).toBe(sentence.repeat(10).trim());
    expect(reported).toEqual([]);
  });
  it('stops when it is asked to', async () => {
    await page.evaluate(() => {
      HTMLMediaElement.prototype.play = async () => undefined;
    });
    await button('Read aloud').click();
    await button('Stop reading aloud').click();
    await button('Read aloud').waitFor();
    await expectAccessible(page);
  });
});
