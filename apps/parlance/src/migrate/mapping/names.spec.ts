import { expect, it } from '@jest/globals';
import { readableName } from './names.ts';

it.each([
  ['Q3%20report.csv', 'Q3 report.csv'],
  ['s3://bucket/user/bot/documents/%E6%97%A5.pdf', '日.pdf'],
  ['https://example.com/sky', 'sky'],
  ['50% of it.txt', '50% of it.txt'],
  ['..%2F..%2Fetc%2Fpasswd', 'passwd'],
  ['C:\\files\\a.pdf', 'a.pdf'],
  ['https://example.com/', ''],
])('the readable name of %j is %j', (raw, name) => expect(readableName(raw)).toBe(name));
