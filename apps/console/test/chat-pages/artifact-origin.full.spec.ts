import { expect, it } from '@jest/globals';
import { freePort, shared } from '@parlance/testing';
import { consoleWorld } from '../console-world.ts';
import { streamingProvider } from '../streaming-provider.ts';

it('a page that a model wrote runs at artifactOrigin, with an opaque origin', async () => {
  const provider = await shared('model server', streamingProvider);
  provider.reset();
  const port = await freePort();
  const settings = {
    PARLANCE_MODELS: provider.models,
    PARLANCE_PORT: String(port),
    PARLANCE_PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    // Another name of the same server.
    PARLANCE_ARTIFACT_ORIGIN: `http://localhost:${port}`,
  };
  const world = await consoleWorld(settings, { isOwn: true });
  provider.finish('```html\n<title>Where</title><p></p><script>document.querySelector("p").textContent = origin</script>\n```');
  const content = [{ content_type: 'text' as const, body: 'Where?' }];
  const { conversation_id } = await world.parlance.conversations.ask({ message: { content } });
  const { page, reported } = await world.openSignedIn();
  await page.goto(`/app/c/${conversation_id}`);
  await page.getByRole('button', { name: 'Show beside the chat' }).click();
  const inFrame = page.getByRole('region', { name: 'Where' }).frameLocator('iframe');
  await inFrame.getByText('null', { exact: true }).waitFor();
  expect(page.frames().map((frame) => new URL(frame.url()).origin)).toEqual([`http://127.0.0.1:${port}`, `http://localhost:${port}`]);
  expect(reported).toEqual([]);
});
