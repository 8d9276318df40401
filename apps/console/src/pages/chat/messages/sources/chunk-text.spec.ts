import { chunkText } from './chunk-text.ts';

const shown = (heading: string | null, content: string) => chunkText({ source_name: 'handbook.md', heading, content });

describe('the text of a source', () => {
  it('has no marks of headings', () => expect(shown(null, '# Leave\n\n25 days. #1\n## Travel').text).toBe('Leave\n\n25 days. #1\nTravel'));
  it('has its title once', () => {
    expect(shown('Leave', '# Leave\n\n25 days.')).toEqual({ heading: null, text: 'Leave\n\n25 days.' });
    expect(shown('handbook.md', '25 days.').heading).toBeNull();
    expect(shown('Leave', '25 days.').heading).toBe('Leave');
  });
});
