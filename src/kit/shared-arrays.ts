/** Zeroed columns in memory that threads share, so that no worker copies the state. Lengths in elements. */
export const float64 = (length: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));

export const int32 = (length: number): Int32Array =>
  new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));

export const uint8 = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));

const holding =
  <A extends Float64Array | Int32Array | Uint8Array>(make: (length: number) => A) =>
  (values: ArrayLike<number>): A => {
    const array = make(values.length);
    array.set(values);
    return array;
  };

/** The same with these values. */
export const float64Of = holding(float64);
export const int32Of = holding(int32);
export const uint8Of = holding(uint8);
