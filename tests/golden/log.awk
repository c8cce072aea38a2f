# Makes a log of one row of a run table: what a program prints that launches the same in every step.
#
#   awk -v run=NAME [-v steps=30] -f tests/golden/log.awk TABLE
BEGIN { FS = OFS = "\t"; if (!steps) steps = 30 }
/^#/ { next }
!columns { columns = split($0, name); next }
$1 == run {
    for (step = 0; step < steps; step++)
        for (i = 4; i <= columns; i++) print "ATLAS", step, name[i], $i + 0, i - 3 ".125"
}
