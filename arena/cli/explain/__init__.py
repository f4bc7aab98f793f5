"""Why a match ended as it did, for `arena match explain` and `arena log explain`."""
