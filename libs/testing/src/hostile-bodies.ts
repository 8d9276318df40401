/** A hostile JSON body for any route that accepts JSON. `of` makes a body of about this many bytes. */
export interface HostileBody {
  readonly name: string;
  of(bytes: number): Buffer;
}

type Make = (bytes: number) => string | Buffer;

const repeat = (unit: string, bytes: number): string => unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));

/** Comma-separated units that differ by a number. */
function numbered(bytes: number, unit: (nth: number) => string): string {
  const units: string[] = [];
  for (let [nth, length] = [0, 0]; length < bytes; nth++) {
    const its = unit(nth);
    units.push(its);
    length += its.length + 1;
  }
  return units.join();
}

const array =
  (unit: string): Make =>
  (bytes) =>
    `[${repeat(`${unit},`, bytes)}0]`;
const object =
  (unit: (nth: number) => string): Make =>
  (bytes) =>
    `{${numbered(bytes, unit)}}`;
const text =
  (unit: string): Make =>
  (bytes) =>
    `{"title":"${repeat(unit, bytes)}"}`;
const only =
  (unit: string): Make =>
  (bytes) =>
    repeat(unit, bytes);
const raw =
  (unit: readonly number[]): Make =>
  (bytes) =>
    Buffer.concat([Buffer.from('{"title":"'), Buffer.alloc(bytes, Buffer.from(unit)), Buffer.from('"}')]);
const nested =
  (open: string, close: string): Make =>
  (bytes) => {
    const times = Math.floor(bytes / (open.length + close.length));
    return `${open.repeat(times)}1${close.repeat(times)}`;
  };
const wide = (n: number, of: string): string => `[${Array(n).fill(of).join()}]`;
const message = (content: string): string => `{"message":{"content":${content},"model":"local-extractive"}}`;

const shapes: Readonly<Record<string, Make>> = {
  // Depth.
  'arrays without an end': only('['),
  'objects without an end': only('{"a":'),
  'arrays and objects without an end': only('[{"a":'),
  'arrays in arrays': nested('[', ']'),
  'objects in objects': nested('{"a":', '}'),
  'arrays in objects': nested('{"a":[', ']}'),
  'as deep as may be, and wide': (bytes) => `${'['.repeat(63)}${repeat('[],', bytes)}0${']'.repeat(63)}`,
  'deep after a long text': (bytes) => `["${repeat('x', bytes)}",${'['.repeat(1000)}${']'.repeat(1000)}]`,
  'many deep ones': array(`${'['.repeat(60)}${']'.repeat(60)}`),
  'many deep objects': array(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`),
  'closed more often than opened': only(']'),
  'empty arrays beside each other': only('[]'),
  // Members.
  'short names': object((nth) => `"${nth.toString(36)}":1`),
  'names of numbers': object((nth) => `"${nth}":1`),
  'names of large numbers': object((nth) => `"${4_294_967_295 - nth}":1`),
  'names of negative numbers': object((nth) => `"-${nth}":1`),
  'names of a hundred characters': object((nth) => `"${'n'.repeat(100)}${nth}":1`),
  'names as long as may be': object((nth) => `"${'n'.repeat(980)}${nth}":1`),
  'names that are too long': object((nth) => `"${'n'.repeat(5_000)}${nth}":1`),
  'one name': (bytes) => `{"${repeat('n', bytes)}":1}`,
  'names in escapes': object((nth) => `"\\u006e${nth}":1`),
  'names beyond ASCII': object((nth) => `"漢😀${nth}":1`),
  'names with capitals': object((nth) => `"botTitle${nth}":1`),
  'names with capitals, and large values': object((nth) => `"botTitle${nth}":"${'x'.repeat(1_000)}"`),
  'one name, again and again': (bytes) => `{${repeat('"a":1,', bytes)}"a":1}`,
  'one name, in two writings': (bytes) => `{${repeat('"a":1,"\\u0061":1,', bytes)}"b":1}`,
  'a name twice, far apart': (bytes) => `{"a":1,"b":"${repeat('x', bytes)}","a":1}`,
  'a name in both cases': (bytes) => `{"bot_id":1,"b":"${repeat('x', bytes)}","botId":1}`,
  __proto__: (bytes) => `{"__proto__":{${numbered(bytes, (nth) => `"a${nth}":1`)}}}`,
  'constructor, at the end': (bytes) => `{${numbered(bytes, (nth) => `"a${nth}":1`)},"constructor":{}}`,
  'toString and its like': array('{"toString":1,"valueOf":1,"hasOwnProperty":1,"length":1,"then":1}'),
  'objects in members': object((nth) => `"n${nth}":{"a":{}}`),
  'members of nothing': object((nth) => `"n${nth}":null`),
  'names that differ in their last letters': object((nth) => `"${'n'.repeat(50)}${nth.toString(36)}":""`),
  'names that are empty': (bytes) => `[${repeat('{"":1},', bytes)}0]`,
  // Items.
  noughts: array('0'),
  nulls: array('null'),
  booleans: array('true,false'),
  'empty texts': array('""'),
  'short texts': array('"a"'),
  'empty arrays': array('[]'),
  'empty objects': array('{}'),
  'arrays of arrays of arrays': array('[[[]]]'),
  'objects of one member': array('{"a":1}'),
  'objects of ten members': array('{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":0}'),
  'objects of a thousand members': array(`{${Array.from({ length: 1_000 }, (_, nth) => `"n${nth}":1`).join()}}`),
  'one of each': array('0,"a",null,true,[],{}'),
  commas: only('[,'),
  'a comma too many': array('0,'),
  'texts beside numbers': array('"a",1.5'),
  // Numbers.
  'a number of nines': (bytes) => `[${repeat('9', bytes)}]`,
  'a number of decimals': (bytes) => `[0.${repeat('3', bytes)}]`,
  'a number of noughts': (bytes) => `[0.${repeat('0', bytes)}1]`,
  'an exponent of nines': (bytes) => `[1e${repeat('9', bytes)}]`,
  'a number of signs': (bytes) => `[${repeat('-', bytes)}1]`,
  'numbers of a hundred digits': array('9'.repeat(100)),
  'numbers of three hundred digits': array(`${'9'.repeat(300)}.5`),
  'numbers out of range': array('1e309'),
  'numbers next to nothing': array('4.9e-324'),
  'numbers that need all digits': array('2.2250738585072011e-308'),
  'leading noughts': array('007'),
  hexadecimal: array('0xff'),
  'not a number': array('NaN'),
  infinity: array('-Infinity'),
  // Texts.
  'a long text': text('x'),
  base64: text('QUJDREVG'),
  'a text of three-byte characters': text('漢'),
  'a text of four-byte characters': text('😀'),
  'escaped letters': text('\\u0041'),
  'escaped new lines': text('\\n'),
  'escaped quotes': text('\\"'),
  'escaped backslashes': text('\\\\'),
  'escaped pairs': text('\\ud83d\\ude00'),
  'escaped halves': text('\\ud83d'),
  'escaped halves in the wrong order': text('\\ude00\\ud83d'),
  'escaped NULs': text('\\u0000'),
  'escapes that are none': text('\\x'),
  'escapes cut short': text('\\u00'),
  'quotes and colons': text('\\":'),
  'a text without an end': (bytes) => `{"title":"${repeat('x', bytes)}`,
  'a text that ends in a backslash': (bytes) => `{"title":"${repeat('x', bytes)}\\"`,
  'a text of bare control characters': text('\u0001'),
  'a text of bare NULs': raw([0]),
  'bytes that are no UTF-8': raw([0xff]),
  'halves of characters': raw([0xc3]),
  'overlong characters': raw([0xc0, 0x80]),
  'surrogates in UTF-8': raw([0xed, 0xa0, 0x80]),
  'an invalid byte at the end': (bytes) => Buffer.concat([Buffer.from(`{"title":"${repeat('x', bytes)}`), Buffer.from([0xff, 0x22, 0x7d])]),
  'UTF-16': (bytes) => Buffer.from(`{"title":"${repeat('x', bytes / 2)}"}`, 'utf16le'),
  // Space, and no JSON at all.
  spaces: only(' '),
  'new lines': only('\r\n'),
  'space between all parts': array(' \t\r\n0 \t\r\n'),
  'a byte order mark': (bytes) => `\uFEFF{"title":"${repeat('x', bytes)}"}`,
  quotes: only('"'),
  backslashes: only('\\'),
  comments: only('/* */'),
  HTML: only('<script>alert(1)</script>'),
  'lines of JSON': only('{"a":1}\n'),
  // Bodies with the fields of real routes.
  'parts of a message': (bytes) => message(wide(Math.floor(bytes / 40), '{"content_type":"text","body":"hi"}')),
  'parts of a message in camelCase': (bytes) => message(wide(Math.floor(bytes / 40), '{"contentType":"text","body":"hi"}')),
  'operators of a database': object((nth) => `"f${nth}":{"$ne":1,"$where":"sleep(1)"}`),
};

/** The same hundred bodies each time: depth, members, items, numbers, strings, space, and the fields of real routes. */
export const hostileBodies: readonly HostileBody[] = Object.entries(shapes).map(([name, make]) => ({
  name,
  of: (bytes) => Buffer.from(make(bytes) as string),
}));

/** From the largest body that is parsed in one step to just below the largest allowed request. */
export const hostileSizes: readonly number[] = [60 * 1024, 1024 * 1024, 4 * 1024 * 1024, 19 * 1024 * 1024];
