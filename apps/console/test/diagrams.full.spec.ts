import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld } from './chat-world.ts';
import { expectAccessible, PHONE } from './console-world.ts';

const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;
const FLOWCHART = `flowchart TD
  Start([Request]) --> Known{Is the key known?}
  Known -- No --> Refused[403]
  Known -- Yes --> Limit{{Within the limit?}}
  subgraph Limits
    Limit -->|No| Later[429]
    Limit -->|Yes| Work[[Answer]]
  end
  Work --> Log[(Event log)]
  Later -.-> Start`;
const SEQUENCE = `sequenceDiagram
  participant C as Console
  participant E as Edge
  C->>+E: POST /conversation
  loop Until the end
    E-->>C: delta
  end
  Note over C,E: The reply is stored
  E-->>-C: done`;
const NOT_DRAWN = 'gantt\n  title A plan\n  section One\n  First: 2026-01-01, 3d';

describe('a diagram in a reply', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  let page: Page;
  let reported: readonly string[];
  const loaded: string[] = [];
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
    ({ page, reported } = await world.openSignedIn());
    page.on('request', (request) => {
      if (/\/assets\/diagram-(?!figure)/.test(request.url())) loaded.push(request.url());
    });
  });

  const askFor = async (text: string) => {
    const { begun } = provider;
    await ask(page, text);
    await waitFor(() => provider.begun === begun + 1);
  };
  const picture = () => page.getByRole('img', { name: 'Diagram' });

  it('is shown as code until it is complete, and then as a picture; only then is the drawing code loaded', async () => {
    provider.goOn();
    await askFor('How is a request checked?');
    provider.say('It goes like this:\n\n```mermaid\nflowchart TD\n  Start([Request]) --> ');
    await page.getByRole('main').getByText('flowchart TD').waitFor();
    expect([loaded, await picture().count()]).toEqual([[], 0]);
    provider.end(`${FLOWCHART.split('-->').slice(1).join('-->')}\n\`\`\`\n\nThat is all.`);
    await picture().waitFor();
    expect(loaded).toHaveLength(1);
    await picture().getByText('Is the key known?').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show the code' }).click();
    await page.getByText('Later -.-> Start').waitFor();
    await page.getByRole('button', { name: 'Show the diagram' }).click();
    await picture().waitFor();
  });

  it('of a sequence is drawn too, in dark mode and on a phone', async () => {
    await page.setViewportSize(PHONE.viewport);
    await page.emulateMedia({ colorScheme: 'dark' });
    await askFor('How is a reply streamed?');
    provider.end(fenced(SEQUENCE));
    await picture().getByText('The reply is stored').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  });

  it('of another kind, or with HTML in it, harms nothing', async () => {
    await askFor('Another one');
    provider.end(`${fenced(NOT_DRAWN)}\n\n${fenced('graph LR\n  A["<img src=x onerror=alert(1)>Text"] --> B["<b>Bold</b>"]')}`);
    await page.getByText('title A plan').waitFor();
    await picture().getByText('Bold').waitFor();
    expect(await page.locator('article :is(img, script, [style], foreignObject)').count()).toBe(0);
    expect(reported).toEqual([]);
  });
});
