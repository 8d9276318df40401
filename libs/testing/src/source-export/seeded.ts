const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const WORDS = 'the sky is blue because light of short waves scatters more and water shows what is above it when no wind moves'.split(' ');

/** Random choices that are the same for the same seed (mulberry32). */
export class Seeded {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  is(share: number): boolean {
    return this.next() < share;
  }

  ulid(millis: number): string {
    let time = '';
    for (let left = millis; time.length < 10; left = Math.floor(left / 32)) time = BASE_32[left % 32]! + time;
    return time + Array.from({ length: 16 }, () => BASE_32[this.below(32)]).join('');
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  text(words: number): string {
    return Array.from({ length: words }, () => WORDS[this.below(WORDS.length)]).join(' ');
  }
}
