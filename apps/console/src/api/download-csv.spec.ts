import { jest } from '@jest/globals';

const requests: { address: string; accept: string | undefined; authorization: string | undefined }[] = [];
let answer = () => new Response('a\r\n1\r\n');
const saved: { name: string; href: string }[] = [];
const link = { href: '', download: '', click: () => saved.push({ name: link.download, href: link.href }) };
Object.assign(globalThis, {
  location: { origin: 'http://chat.example.org' },
  BroadcastChannel: EventTarget,
  document: { createElement: () => link },
  fetch: async (address: string, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    if (address.endsWith('/auth/refresh'))
      return Response.json({
        access_token: 'token',
        expires_in: 900,
        password_change_required: false,
        user: { user_id: 'ann', groups: [] },
      });
    requests.push({ address, accept: headers['accept'], authorization: headers['authorization'] });
    return answer();
  },
});
jest.useFakeTimers();
const { downloadCsv } = await import('./download-csv.ts');

describe('a list as a file', () => {
  it('has the filters that are set, and is saved under its name', async () => {
    await downloadCsv('/admin/users', { prefix: 'a&b', enabled: false, group: undefined, sort: null }, 'users.csv');
    expect(requests).toEqual([{ address: '/admin/users?prefix=a%26b&enabled=false', accept: 'text/csv', authorization: 'Bearer token' }]);
    expect(saved).toEqual([{ name: 'users.csv', href: expect.stringMatching(/^blob:/) }]);
  });
  it('is not saved if the server refuses it', async () => {
    answer = () => Response.json({ code: 'forbidden', detail: 'No.' }, { status: 403 });
    await expect(downloadCsv('/admin/users', {}, 'users.csv')).rejects.toMatchObject({ code: 'forbidden' });
    expect(saved).toHaveLength(1);
  });
});
