const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** A ULID. Files are uploaded under the ID before the bot exists, and a repeated import with the same ID creates only one bot. */
export function newBotId(now = Date.now()): string {
  let [time, left] = ['', now];
  for (let index = 0; index < TIME_DIGITS; index++) {
    time = DIGITS[left % DIGITS.length] + time;
    left = Math.floor(left / DIGITS.length);
  }
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS));
  return time + Array.from(random, (byte) => DIGITS[byte % DIGITS.length]).join('');
}
