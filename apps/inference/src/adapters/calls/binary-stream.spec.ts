import { expect, it } from '@jest/globals';
import { BinaryStream } from './binary-stream.ts';

it('passes audio on, and keeps its last piece until the charge is recorded', () => {
  const stream = new BinaryStream();
  const passed = ['one', 'two', 'three'].map((part) => stream.pass(Buffer.from(part)).toString());
  expect([passed, stream.end().toString(), stream.bytes]).toEqual([['', 'one', 'two'], 'three', 11]);
});
