import { partsOf, writtenText } from './reply-parts.ts';

describe('the parts of a stored reply', () => {
  const parts = partsOf({
    content: [
      { content_type: 'reasoning', body: 'Hm.' },
      { content_type: 'text', body: 'One.' },
      { content_type: 'tool_use', body: { tool_use_id: '1', name: 'a', input: { x: 1 } } },
      { content_type: 'tool_use', body: { tool_use_id: '2', name: 'b', input: {} } },
      { content_type: 'tool_result', body: { tool_use_id: '1', name: 'a', status: 'denied', content: 'No.' } },
      { content_type: 'text', body: 'Two.' },
    ],
  });

  it('attach each result to its call', () => {
    expect(parts).toMatchObject([
      { kind: 'reasoning' },
      { kind: 'text', text: 'One.' },
      { callId: '1', input: { x: 1 }, status: 'denied', result: 'No.' },
      { callId: '2', status: 'running', result: null },
      { kind: 'text', text: 'Two.' },
    ]);
  });
  it('are copied without reasoning and calls', () => expect(writtenText(parts)).toBe('One.\n\nTwo.'));
});
