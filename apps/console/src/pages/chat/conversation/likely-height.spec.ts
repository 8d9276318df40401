import type { ContentPart } from '@parlance/client/types';
import { likelyHeight } from './likely-height.ts';

const of = (...content: ContentPart[]) => likelyHeight({ content }, 80);
const text = (body: string): ContentPart => ({ content_type: 'text', body });

describe('the likely height of a message', () => {
  it('grows with the lines of its text', () => {
    expect(of(text('a'))).toBeLessThan(of(text('a\nb')));
    expect(of(text('a\nb'))).toBe(of(text('x'.repeat(160))));
  });
  it('has room for the frames of code and for files', () => {
    expect(of(text('```\na\n```'))).toBeGreaterThan(of(text('a\nb\nc')));
    expect(of({ content_type: 'image', file_id: 'f', media_type: 'image/png', sha256: '', size: 1 })).toBeGreaterThan(of(text('a')));
  });
});
