(module
  (memory (export "memory") 5)
  ;; Dot products of `count` templates of 128 signed bytes, one after another at `rows`, with the one at `query`, as i32 at `out`.
  (func (export "scan") (param $rows i32) (param $query i32) (param $out i32) (param $count i32)
    (local $end i32) (local $i i32) (local $sum v128) (local $x v128) (local $y v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 7))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $i (i32.const 0))
        (loop $part
          (local.set $x (v128.load (i32.add (local.get $rows) (local.get $i))))
          (local.set $y (v128.load (i32.add (local.get $query) (local.get $i))))
          (local.set $sum (i32x4.add (local.get $sum) (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $x)) (i16x8.extend_low_i8x16_s (local.get $y)))))
          (local.set $sum (i32x4.add (local.get $sum) (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $x)) (i16x8.extend_high_i8x16_s (local.get $y)))))
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br_if $part (i32.lt_u (local.get $i) (i32.const 128))))
        (i32.store (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 128)))
        (br $row)))))
