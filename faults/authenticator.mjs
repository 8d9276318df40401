// A software authenticator with one passkey, independent of the product's code: WebAuthn with ES256 and no attestation.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Flag bits of the authenticator data. The passkey is eligible for backup and backed up. */
const [USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, HAS_CREDENTIAL] = [0x01, 0x04, 0x08, 0x10, 0x40];
const ALWAYS = USER_PRESENT | USER_VERIFIED | BACKUP_ELIGIBLE | BACKED_UP;
const AAGUID = Buffer.alloc(16);

export class Authenticator {
  #counter = 0;
  #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #id = randomBytes(32);
  #userHandle;

  /** With `counts`, the signature counter grows with each use. */
  constructor(origin, { counts }) {
    Object.assign(this, { origin, counts });
  }

  create({ challenge, rp, user }) {
    this.#userHandle = user.id;
    const length = Buffer.from([this.#id.length >> 8, this.#id.length & 0xff]);
    const credential = Buffer.concat([AAGUID, length, this.#id, this.#publicKey()]);
    const authData = Buffer.concat([this.#data(rp.id, HAS_CREDENTIAL), credential]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    return this.#answer({
      clientDataJSON: this.#client('webauthn.create', challenge),
      attestationObject: attestation.toString('base64url'),
    });
  }

  get({ challenge, rpId }) {
    if (this.counts) this.#counter++;
    const clientDataJSON = this.#client('webauthn.get', challenge);
    const data = this.#data(rpId, 0);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([data, hash]), this.#keys.privateKey).toString('base64url');
    return this.#answer({ clientDataJSON, authenticatorData: data.toString('base64url'), signature, userHandle: this.#userHandle });
  }

  #answer(response) {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #client(type, challenge) {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false })).toString('base64url');
  }

  #data(rpId, more) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([ALWAYS | more]), counter]);
  }

  /** COSE: key type EC2, algorithm ES256, curve P-256, and the point. */
  #publicKey() {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = [x, y].map((text) => cborBytes(Buffer.from(text, 'base64url')));
    return cborMap([
      [cborWhole(1), cborWhole(2)],
      [cborWhole(3), cborWhole(-7)],
      [cborWhole(-1), cborWhole(1)],
      [cborWhole(-2), point[0]],
      [cborWhole(-3), point[1]],
    ]);
  }
}

/** The head of a CBOR value: its major type, and a number below 65,536. */
function cborHead(major, number) {
  if (number < 24) return Buffer.from([(major << 5) | number]);
  return number < 256 ? Buffer.from([(major << 5) | 24, number]) : Buffer.from([(major << 5) | 25, number >> 8, number & 0xff]);
}

const cborWhole = (number) => (number < 0 ? cborHead(1, -1 - number) : cborHead(0, number));
const cborBytes = (bytes) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
const cborMap = (pairs) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()]);
