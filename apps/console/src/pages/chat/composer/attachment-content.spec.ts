import { contentOf } from './attachment-content.ts';
import { withFiles } from './attachments.ts';

/** A FileReader, which Node does not have. */
class Reader extends EventTarget {
  result: string | null = null;
  error: Error | null = null;

  readAsDataURL(file: Blob): void {
    const end = (name: string) => this.dispatchEvent(new Event(name));
    file.arrayBuffer().then(
      (bytes) => {
        this.result = `data:${file.type};base64,${Buffer.from(bytes).toString('base64')}`;
        end('load');
      },
      (error: Error) => {
        this.error = error;
        end('error');
      },
    );
  }
}
Object.assign(globalThis, { FileReader: Reader });

const attached = (...files: File[]) => withFiles([], files).attachments;

describe('the content of a message', () => {
  it('has its files in base64 before its text', async () => {
    const files = attached(new File(['png'], 'a.png', { type: 'image/png' }), new File(['pdf'], 'b.pdf', { type: 'application/pdf' }));
    expect(await contentOf('What is it?', files)).toEqual([
      { content_type: 'image', media_type: 'image/png', body: btoa('png') },
      { content_type: 'attachment', file_name: 'b.pdf', body: btoa('pdf') },
      { content_type: 'text', body: 'What is it?' },
    ]);
  });
  it('has no empty text', async () => {
    expect(await contentOf('', attached(new File(['pdf'], 'b.pdf')))).toHaveLength(1);
  });
  it.each([
    ['dir/a\\b\u0007.txt', 'dir_a_b_.txt'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ['', 'file'],
  ])('has names that the API accepts: %j', async (name, sent) => {
    expect(await contentOf('', attached(new File(['x'], name)))).toMatchObject([{ file_name: sent }]);
  });
  it('is refused if a file can no longer be read', async () => {
    const file = new File(['x'], 'gone.txt');
    Object.assign(file, { arrayBuffer: () => Promise.reject(new Error('gone')) });
    await expect(contentOf('', attached(file))).rejects.toThrow('gone');
  });
});
