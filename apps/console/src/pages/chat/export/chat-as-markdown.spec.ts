import type { Message } from '@parlance/client/types';
import { chatExport as texts } from '../../../messages/en/chat/export.ts';
import { chatAsMarkdown } from './chat-as-markdown.ts';

const NOW = Date.UTC(2026, 10, 29, 12) / 1_000;

const message = (role: Message['role'], content: Message['content'], more: Partial<Message> = {}): Message => ({
  message_id: 'id',
  parent: null,
  children: [],
  create_time: NOW,
  model: 'scripted',
  status: 'completed',
  role,
  content,
  ...more,
});
const text = (body: string) => [{ content_type: 'text' as const, body }];
const chunk = (rank: number, source_name: string, page_number: number | null = null) => ({
  rank,
  source_name,
  page_number,
  source: source_name,
  source_id: source_name,
  content: '',
  content_type: 'text' as const,
  heading: null,
  score: 1,
});
const exported = (messages: readonly Message[], more: { botTitle?: string; isCut?: boolean } = {}) =>
  chatAsMarkdown(
    { title: 'Leave\nand travel', botTitle: null, isCut: false, messages, ...more },
    { texts, now: NOW, nameOf: (model) => `Model ${model}` },
  );

describe('a chat as Markdown', () => {
  it('has the title, and each message below its writer', () => {
    const lines = exported([message('user', text('How long?')), message('assistant', text('**25** days.'))]).split('\n');
    expect(lines.filter((line) => /^#|How|25/.test(line))).toEqual([
      '# Leave and travel',
      '## You',
      'How long?',
      '## Model scripted',
      '**25** days.',
    ]);
  });

  it('has the cited sources as footnotes, numbered through the whole chat', () => {
    const all = exported([
      message('assistant', text('First [^3], again [^3].'), { used_chunks: [chunk(1, 'unused.pdf'), chunk(3, 'handbook.pdf', 7)] }),
      message('assistant', text('Second [^1] and [^9].'), { used_chunks: [chunk(1, 'rules.txt')] }),
    ]);
    expect(all).toContain('First [^1], again [^1].');
    expect(all).toContain('Second [^2] and [^9].');
    expect(all.trimEnd().endsWith('[^1]: handbook.pdf, page 7\n[^2]: rules.txt')).toBe(true);
    expect(all).not.toContain('unused.pdf');
  });

  it('names files, tools and failures, and leaves out the reasoning', () => {
    const all = exported([
      message('user', [{ content_type: 'attachment', file_id: 'a', file_name: 'plan.txt' } as never, ...text('Read it')]),
      message(
        'assistant',
        [
          { content_type: 'reasoning', body: 'hidden thought' },
          { content_type: 'tool_use', body: { name: 'clock', input: {}, tool_use_id: 'one' } },
          ...text('Half'),
        ],
        { status: 'failed' },
      ),
    ]);
    expect(all).toContain('*Attached: plan.txt*\n\nRead it');
    expect(all).toContain('*Called the tool clock.*\n\nHalf\n\n*This reply failed.*');
    expect(all).not.toContain('hidden thought');
  });

  it('says which bot it is with, and that earlier messages are missing', () => {
    const all = exported([message('user', text('Hello'))], { botTitle: 'Handbook', isCut: true });
    expect(all).toContain('Chat with the bot “Handbook”.');
    expect(all).toContain('Only the newest 1 messages are included.');
  });
});
