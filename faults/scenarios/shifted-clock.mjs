// Loaded before the product (`node --import`): shifts its clock by FAULTS_SHIFT milliseconds, so that hours pass without waiting.
const shift = Number(process.env.FAULTS_SHIFT ?? 0);
const Real = Date;

if (shift !== 0)
  globalThis.Date = class extends Real {
    constructor(...given) {
      super(...(given.length > 0 ? given : [Real.now() + shift]));
    }

    static now() {
      return Real.now() + shift;
    }
  };
