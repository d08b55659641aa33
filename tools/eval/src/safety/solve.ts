const { abs } = Math;

/** Solves `matrix * x = vector` by elimination with row pivoting. Both are used up. */
export function solve(matrix: number[][], vector: number[]): number[] {
  const n = vector.length;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++)
      if (abs(matrix[row]![column]!) > abs(matrix[pivot]![column]!)) pivot = row;
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    [vector[column], vector[pivot]] = [vector[pivot]!, vector[column]!];
    const head = matrix[column]!;
    for (let row = column + 1; row < n; row++) {
      const line = matrix[row]!;
      const factor = line[column]! / head[column]!;
      for (let k = column; k < n; k++) line[k]! -= factor * head[k]!;
      vector[row]! -= factor * vector[column]!;
    }
  }
  const solution = new Array<number>(n).fill(0);
  for (let row = n - 1; row >= 0; row--) {
    let rest = vector[row]!;
    for (let k = row + 1; k < n; k++) rest -= matrix[row]![k]! * solution[k]!;
    solution[row] = rest / matrix[row]![row]!;
  }
  return solution;
}
