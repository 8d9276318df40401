import {
  decimalOf,
  difference,
  floor,
  fraction,
  isLess,
  negative,
  NoValue,
  power,
  product,
  quotient,
  type Rational,
  remainder,
  squareRoot,
  sum,
  whole,
} from './rational.ts';

/** Limits on the characters of an expression and on its nesting. */
export const LONGEST_EXPRESSION = 1_000;
const DEEPEST = 50;

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,4})?|\.\d+)|([a-z]+)|(\*\*|[-+*/%^(),]))/y;

type Function_ = (...values: Rational[]) => Rational;

const HALF = fraction(1n, 2n);
const FUNCTIONS: Readonly<Record<string, Function_>> = {
  abs: (a) => (a!.top < 0n ? negative(a!) : a!),
  floor: (a) => floor(a!),
  ceil: (a) => negative(floor(negative(a!))),
  /** Rounds to a number of digits after the decimal point. Halves round up. */
  round: (a, digits = whole(0n)) => {
    const scale = power(whole(10n), digits);
    return quotient(floor(sum(product(a!, scale), HALF)), scale);
  },
  sqrt: (a) => squareRoot(a!),
  min: (...all) => all.reduce((least, each) => (isLess(each, least) ? each : least)),
  max: (...all) => all.reduce((most, each) => (isLess(most, each) ? each : most)),
};
const MOST_ARGUMENTS: Readonly<Record<string, number>> = { abs: 1, floor: 1, ceil: 1, round: 2, sqrt: 1, min: 100, max: 100 };

/** The value of an expression as a decimal. Throws `NoValue`. */
export function valueOf(expression: string): { readonly text: string; readonly isExact: boolean } {
  if (expression.length > LONGEST_EXPRESSION) throw new NoValue(`An expression has at most ${LONGEST_EXPRESSION} characters.`);
  return decimalOf(new Parser(tokensOf(expression)).whole());
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < expression.trimEnd().length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(expression);
    if (!found) throw new NoValue(`The character ${JSON.stringify(expression.slice(at).trim()[0])} is not understood.`);
    tokens.push(found[1] ?? found[2] ?? (found[3] === '**' ? '^' : found[3]!));
  }
  return tokens;
}

/** A recursive-descent parser: sums, products, signs, powers, values. A power binds more tightly than a sign and associates to the right. */
class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly string[]) {}

  whole(): Rational {
    const value = this.sum();
    if (this.at < this.tokens.length) throw new NoValue(`An operator is missing before ${this.tokens[this.at]}.`);
    return value;
  }

  private sum(): Rational {
    if (++this.depth > DEEPEST) throw new NoValue('The expression has too many brackets.');
    let value = this.product();
    for (let operator = this.next('+', '-'); operator; operator = this.next('+', '-'))
      value = operator === '+' ? sum(value, this.product()) : difference(value, this.product());
    this.depth--;
    return value;
  }

  private product(): Rational {
    let value = this.signed();
    for (let operator = this.next('*', '/', '%'); operator; operator = this.next('*', '/', '%')) {
      const other = this.signed();
      value = operator === '*' ? product(value, other) : operator === '/' ? quotient(value, other) : remainder(value, other);
    }
    return value;
  }

  private signed(): Rational {
    let isNegative = false;
    for (let sign = this.next('+', '-'); sign; sign = this.next('+', '-')) isNegative = isNegative !== (sign === '-');
    const value = this.power();
    return isNegative ? negative(value) : value;
  }

  private power(): Rational {
    const base = this.value();
    if (!this.next('^')) return base;
    if (++this.depth > DEEPEST) throw new NoValue('The expression has too many powers.');
    const exponent = this.signed();
    this.depth--;
    return power(base, exponent);
  }

  private value(): Rational {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new NoValue('The expression ends too early.');
    if (/^[\d.]/.test(token)) return numberOf(token);
    if (token === '(') return this.closed(this.sum());
    const call = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (!call) throw new NoValue(`${token} is not understood. Known: ${Object.keys(FUNCTIONS).join(', ')}, + - * / % ^ and brackets.`);
    if (!this.next('(')) throw new NoValue(`A bracket is missing after ${token}.`);
    const given = [this.sum()];
    while (this.next(',')) given.push(this.sum());
    if (given.length > MOST_ARGUMENTS[token]!) throw new NoValue(`${token} has too many arguments.`);
    return this.closed(call(...given));
  }

  private closed(value: Rational): Rational {
    if (!this.next(')')) throw new NoValue('A closing bracket is missing.');
    return value;
  }

  private next(...wanted: string[]): string | null {
    const token = this.tokens[this.at];
    if (token === undefined || !wanted.includes(token)) return null;
    this.at++;
    return token;
  }
}

function numberOf(token: string): Rational {
  const [digits = '', exponent = '0'] = token.toLowerCase().split('e');
  const [front = '', fractionDigits = ''] = digits.split('.');
  const value = fraction(BigInt(`${front}${fractionDigits}`), 10n ** BigInt(fractionDigits.length));
  return product(value, power(whole(10n), whole(BigInt(exponent.replace('+', '')))));
}
