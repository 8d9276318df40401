import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { type ExportCommand, type ExportEvent, exporting } from './export.ts';
import { dayOfHour, foldersOf, hourAt, isDay, spanOf } from './export-period.ts';

const given = specify(exporting);
const noon = Instant.parse('2026-01-01T12:00:00Z');
const until = Instant.plus(noon, 60_000);
const later = Instant.plus(noon, 60_001);
const claim = (id: string, now = noon): ExportCommand => ({ type: 'Claim', claim: id, changes: 7, now, until: Instant.plus(now, 60_000) });
const claimed = (id: string, end = until): ExportEvent => ({ type: 'ExportClaimed', claim: id, changes: 7, until: end });
const written = { key: 'k', bytes: 10, rows: 2, changes: 7 };
const finish = (id: string): ExportCommand => ({ type: 'Finish', claim: id, written });
const done = (id: string): ExportEvent => ({ type: 'ExportWritten', claim: id, ...written });
const outdated: ExportEvent = { type: 'ExportOutdated' };

describe('claiming an export', () => {
  it('is possible for one writer at a time', () => {
    given().when(claim('a')).emits(claimed('a'));
    given(claimed('a')).when(claim('b')).refuses('export_being_written');
    given(claimed('a')).when(claim('a')).emits();
  });
  it('is possible when the previous claim has expired, was released, or ended in a written export', () => {
    const second = claimed('b', Instant.plus(later, 60_000));
    given(claimed('a')).when(claim('b', later)).emits(second);
    given(claimed('a'))
      .when(claim('b', until))
      .emits(claimed('b', Instant.plus(until, 60_000)));
    given(claimed('a'), { type: 'ExportReleased', claim: 'a' }).when(claim('b')).emits(claimed('b'));
    given(claimed('a'), done('a')).when(claim('b')).emits(claimed('b'));
  });
  it('is possible when the clock of the previous writer was ahead', () =>
    given(claimed('a', Instant.plus(noon, 86_400_000)))
      .when(claim('b'))
      .emits(claimed('b')));
  it('lasts as long as it is renewed', () => {
    const end = Instant.plus(later, 60_000);
    given(claimed('a')).when({ type: 'Renew', claim: 'a', until: end }).emits(claimed('a', end));
    given(claimed('b')).when({ type: 'Renew', claim: 'a', until: end }).refuses('export_claim_lost');
  });
  it('is released only by its own writer', () => {
    given(claimed('a')).when({ type: 'Release', claim: 'a' }).emits({ type: 'ExportReleased', claim: 'a' });
    given(claimed('b')).when({ type: 'Release', claim: 'a' }).emits();
  });
});

describe('an export', () => {
  it('is written by the writer with the claim', () => {
    given(claimed('a')).when(finish('a')).emits(done('a'));
    given(claimed('a'), claimed('b')).when(finish('a')).refuses('export_claim_lost');
    given().when(finish('a')).refuses('export_claim_lost');
  });
  it('cannot be finished by a writer that began before content was erased', () => {
    given(claimed('a'), outdated).when(finish('a')).refuses('export_claim_lost');
  });
  it('is outdated when content that it may contain is erased', () => {
    given(claimed('a'), done('a')).when({ type: 'Outdate' }).emits(outdated);
    given(claimed('a')).when({ type: 'Outdate' }).emits(outdated);
    given().when({ type: 'Outdate' }).emits();
    given(claimed('a'), done('a'), outdated).when({ type: 'Outdate' }).emits();
    given(claimed('a'), done('a'), outdated, claimed('b')).when({ type: 'Outdate' }).emits(outdated);
  });
  it('expires once', () => {
    given(claimed('a'), done('a')).when({ type: 'Expire' }).emits({ type: 'ExportExpired' });
    given(claimed('a'), done('a'), { type: 'ExportExpired' }).when({ type: 'Expire' }).emits();
    given(claimed('a'), done('a')).when({ type: 'Expire', ruleId: 'r' }).emits({ type: 'ExportExpired', ruleId: 'r' });
  });
  it('is claimed for removal only if it is written, and by one process at a time', () => {
    const remove = (id: string): ExportCommand => ({ type: 'ClaimForRemoval', claim: id, now: noon, until });
    const removing: ExportEvent = { type: 'ExportClaimed', claim: 'b', changes: 0, until };
    given(claimed('a'), done('a')).when(remove('b')).emits(removing);
    given(claimed('a'), done('a'), removing).when(remove('c')).refuses('export_being_written');
    given(claimed('a'), done('a'), { type: 'ExportExpired' }).when(remove('b')).refuses('export_not_written');
  });
  it("is not removed if the removal's claim was lost to an erasure", () => {
    const removing: ExportEvent = { type: 'ExportClaimed', claim: 'b', changes: 0, until };
    const end: ExportCommand = { type: 'Expire', ruleId: 'r', claim: 'b' };
    given(claimed('a'), done('a'), removing).when(end).emits({ type: 'ExportExpired', ruleId: 'r' });
    given(claimed('a'), done('a'), removing, outdated).when(end).refuses('export_claim_lost');
    given(claimed('a'), done('a'), removing, outdated, claimed('c')).when(end).refuses('export_claim_lost');
  });
});

describe('a period', () => {
  it('is an hour or a day in UTC', () => {
    expect([isDay('20260101'), isDay('2026010112')]).toEqual([true, false]);
    expect([hourAt(noon), dayOfHour('2026010112')]).toEqual(['2026010112', '20260101']);
    expect(spanOf('2026010112')).toEqual({ from: noon, to: noon + 3_600_000 });
    expect(spanOf('20260101')).toEqual({ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2) });
  });
  it('determines the folders of its export', () =>
    expect([foldersOf('2026010112'), foldersOf('20260101')]).toEqual(['2026/01/01/12', '2026/01/01']));
});
