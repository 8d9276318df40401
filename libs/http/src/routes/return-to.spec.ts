import { describe, expect, it } from '@jest/globals';
import { safeReturnTo } from './return-to.ts';

const trusted = ['https://console.example.org', 'http://localhost:5173'];
const returnTo = (address: string) => safeReturnTo(address, trusted);

describe('an address to return to', () => {
  it.each([
    ['/', '/'],
    ['/console', '/console'],
    ['/console?next=https://example.org//x', '/console?next=https://example.org//x'],
    ['/a/../b', '/b'],
    ['/café?ß', '/caf%C3%A9?%C3%9F'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['https://console.example.org', 'https://console.example.org/'],
    ['https://console.example.org/in?x=1', 'https://console.example.org/in?x=1'],
    ['HTTPS://Console.Example.org:443/', 'https://console.example.org/'],
    ['http://localhost:5173/in', 'http://localhost:5173/in'],
  ])('%s is allowed', (address, answered) => expect(returnTo(address)).toBe(answered));

  it.each([
    '',
    'console',
    'evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/a//b',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\u0000/a',
    ' /a',
    '/a b',
    '/a\u0085b',
    '/a#access_token=x',
    'https:evil.example',
    'https:///evil.example',
    'https://evil.example',
    'https://evil.example/https://console.example.org',
    'https://console.example.org.evil.example',
    'https://console.example.org@evil.example',
    'https://evil.example\\@console.example.org',
    'https://ann@console.example.org',
    'https://ann:x@console.example.org',
    'http://console.example.org',
    'https://console.example.org:8443',
    'https://console.example.org/#x',
    'http://localhost:5174',
    'javascript:alert(1)',
    'javascript://console.example.org/%0aalert(1)',
    'data:text/html,x',
    'blob:https://console.example.org/x',
    'null',
    `/${'a'.repeat(1_500)}`,
  ])('%j is refused', (address) => expect(() => returnTo(address)).toThrow('return_to must be'));
});
