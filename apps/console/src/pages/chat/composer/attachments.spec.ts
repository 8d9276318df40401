import { MOST_BYTES, MOST_FILE_BYTES, MOST_IMAGE_BYTES, withFiles } from './attachments.ts';

const file = (name: string, size: number, type = 'application/pdf') => ({ name, size, type }) as File;
const reasons = (...files: File[]) => withFiles([], files).refused.map(({ reason }) => reason);

describe('files of a message', () => {
  it('are images that models can see, and attachments', () => {
    const { attachments } = withFiles([], [file('a.png', 1, 'image/png'), file('b.svg', 1, 'image/svg+xml'), file('c.pdf', 1)]);
    expect(attachments.map(({ kind }) => kind)).toEqual(['image', 'attachment', 'attachment']);
  });
  it('are refused when they are empty or too large', () => {
    expect(reasons(file('a', 0), file('b.png', MOST_IMAGE_BYTES + 1, 'image/png'), file('c.pdf', MOST_FILE_BYTES + 1))).toEqual([
      'empty',
      'image_too_large',
      'file_too_large',
    ]);
  });
  it('are refused when they are of a type that cannot be read', () => {
    expect(reasons(file('a.zip', 1, ''), file('b.DOC', 1), file('c.heic', 1, 'image/heic'), file('d.mp3', 1, 'audio/mpeg'))).toEqual(
      Array.from({ length: 4 }, () => 'unreadable'),
    );
    expect(reasons(file('a.docx', 1), file('b.svg', 1, 'image/svg+xml'), file('c', 1, ''), file('d.log', 1, 'text/plain'))).toEqual([]);
  });
  it('are accepted up to the largest size', () => {
    expect(reasons(file('b.png', MOST_IMAGE_BYTES, 'image/png'), file('c.pdf', MOST_FILE_BYTES))).toEqual([]);
  });
  it('have unique IDs, so that one of two files with the same name can be removed', () => {
    const { attachments } = withFiles([], [file('a.pdf', 1), file('a.pdf', 1)]);
    expect(new Set(attachments.map(({ id }) => id)).size).toBe(2);
  });
  it('are refused when they are too many or too large together', () => {
    expect(reasons(...Array.from({ length: 21 }, () => file('a.png', 1, 'image/png')))).toEqual(['too_many_images']);
    expect(reasons(...Array.from({ length: 11 }, () => file('a.pdf', 1)))).toEqual(['too_many_files']);
    expect(reasons(file('a.pdf', MOST_FILE_BYTES), file('b.pdf', MOST_BYTES - MOST_FILE_BYTES), file('c.pdf', 1))).toEqual([
      'too_large_together',
    ]);
  });
  it('count together with files that were chosen before', () => {
    const { attachments } = withFiles(
      [],
      Array.from({ length: 10 }, () => file('a.pdf', 1)),
    );
    expect(withFiles(attachments, [file('b.pdf', 1)])).toMatchObject({
      attachments,
      refused: [{ name: 'b.pdf', reason: 'too_many_files' }],
    });
  });
});
